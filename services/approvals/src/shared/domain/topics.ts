/** Woken when that approval (uuid) settles. */
export function approvalTopic(id: string): string {
  return `approval:${id}`;
}

/** Woken when what waits for a person or AI (uuid), or what they asked, changed. */
export function approvalsTopic(owner: string): string {
  return `approvals:${owner}`;
}

/** Woken when the request rules of a person (uuid) changed: what their card says that they accept. */
export function rulesTopic(person: string): string {
  return `rules:${person}`;
}
