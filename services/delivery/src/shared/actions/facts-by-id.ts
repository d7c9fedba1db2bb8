/** Returns uuid -> facts for the ids that identity knows. No request is made for an empty list. */
export async function factsById<Facts extends { id: string }>(
  ids: readonly string[],
  find: (ids: string[]) => Promise<{ results: readonly { facts?: Facts | undefined }[] }>,
): Promise<Map<string, Facts>> {
  const asked = [...new Set(ids)];
  const { results } = asked.length === 0 ? { results: [] } : await find(asked);
  return new Map(results.flatMap(({ facts }) => (facts === undefined ? [] : [[facts.id, facts]])));
}
