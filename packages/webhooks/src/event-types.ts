/** The types of event that apps are sent; an app may choose among them. */
export const appEventTypes = [
  'outcome',
  'message.received',
  'member.joined',
  'member.left',
  'member.removed',
  'role.changed',
  'group.created',
  'group.updated',
  'group.deleted',
  'group.archived',
  'person.updated',
  'account.deleted',
  'ai.unclaimed',
  'ai.claimed',
  'ai.revoked',
  'notify',
  'guess',
] as const;

export type AppEventType = (typeof appEventTypes)[number];
