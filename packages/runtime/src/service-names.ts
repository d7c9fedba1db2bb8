import { serviceNames as peerNames } from '@hearth/config';

export type ServiceName = 'gateway' | (typeof peerNames)[number];

/** Every service of a home; PEER_<NAME> says where one runs that is not in this process. */
export const serviceNames: readonly ServiceName[] = ['gateway', ...peerNames];
