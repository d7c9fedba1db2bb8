/** Kinds of approvals whose outcome another service acts on: a person joins, a plan or an agreement begins. */
export const hasFollowUp = (kind: string): boolean =>
  kind === 'join_request' || kind === 'plan' || kind === 'agreement';
