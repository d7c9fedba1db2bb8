import { serviceNames as peerNames } from '@hearth/config';

export type ServiceName = 'gateway' | (typeof peerNames)[number];

/** All services of a home; PEER_<NAME> is the address of one that does not run in this process. */
export const serviceNames: readonly ServiceName[] = ['gateway', ...peerNames];
