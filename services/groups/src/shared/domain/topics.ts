/** Woken when the groups that a person (uuid) is in, or their role there, changed. */
export function groupsTopic(person: string): string {
  return `groups:${person}`;
}

/** Woken when an invite comes to wait for a person, or with an AI or guardian in their place (uuid). */
export function invitesTopic(owner: string): string {
  return `invites:${owner}`;
}
