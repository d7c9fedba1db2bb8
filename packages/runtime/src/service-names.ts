/** Every service of a home that exists; PEER_<NAME> says where one runs that is not in this process. */
export const serviceNames = [
  'gateway',
  'identity',
  'groups',
  'approvals',
  'messages',
  'delivery',
  'federation',
] as const;

export type ServiceName = (typeof serviceNames)[number];
