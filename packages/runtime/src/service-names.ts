import { serviceNames as peerNames } from '@hearth/config';

export type ServiceName = 'gateway' | Exclude<(typeof peerNames)[number], 'decisions'>;

/** Every service of a home that exists; PEER_<NAME> says where one runs that is not in this process. */
export const serviceNames: readonly ServiceName[] = [
  'gateway',
  ...peerNames.filter((name) => name !== 'decisions'),
];
