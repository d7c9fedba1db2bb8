/** Woken when the groups that a person (uuid) is in, or their role there, changed. */
export function groupsTopic(person: string): string {
  return `groups:${person}`;
}
