/** Woken when the approval (uuid) settles. */
export function approvalTopic(id: string): string {
  return `approval:${id}`;
}

/** Woken when the list of a person or AI (uuid) changes: their asks, or asks that wait for them. */
export function approvalsTopic(owner: string): string {
  return `approvals:${owner}`;
}
