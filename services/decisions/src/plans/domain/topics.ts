/** Woken when that plan (uuid) changes. */
export function planTopic(id: string): string {
  return `plan:${id}`;
}
