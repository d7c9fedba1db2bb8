/** Woken when that decision (uuid) changes. */
export function decisionTopic(id: string): string {
  return `decision:${id}`;
}
