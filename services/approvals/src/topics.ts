/** Woken when that approval (uuid) settles. */
export function approvalTopic(id: string): string {
  return `approval:${id}`;
}

/** Woken when what waits for a person or AI (uuid), or what they asked, changed. */
export function approvalsTopic(owner: string): string {
  return `approvals:${owner}`;
}
