/** uuid -> the facts that identity has, where there are any. For no one it is not asked. */
export async function factsById<Facts extends { id: string }>(
  ids: readonly string[],
  find: (ids: string[]) => Promise<{ results: readonly { facts?: Facts | undefined }[] }>,
): Promise<Map<string, Facts>> {
  const asked = [...new Set(ids)];
  const { results } = asked.length === 0 ? { results: [] } : await find(asked);
  return new Map(results.flatMap(({ facts }) => (facts === undefined ? [] : [[facts.id, facts]])));
}
