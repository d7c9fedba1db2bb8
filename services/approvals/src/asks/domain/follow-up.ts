/** Kinds of approvals whose outcome another service carries out: a person joins, a plan or an agreement begins. */
export const hasFollowUp = (kind: string): boolean =>
  kind === 'join_request' || kind === 'plan' || kind === 'agreement';
