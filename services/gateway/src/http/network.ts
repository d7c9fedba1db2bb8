import type { Socket } from 'node:net';
import { networkKey } from '@hearth/limits';
import type { Caller } from '@hearth/rpc';
import type { Credential } from '../credentials/credential.ts';

/** Where requests come from, coarse enough to count by: the /24 or /56 that the connection's address lies in. */
export interface Network {
  of(socket: Socket): string;
  /** The credential's caller, calling from that network. */
  on(credential: Credential, network: string): Caller;
}

/**
 * Goes by the address of the connection, which nobody can write into a header. Behind a proxy all share the
 * proxy's network.
 */
export function createNetwork(): Network {
  // Neither changes during a connection, and hardly ever for a credential, so both are worked out once.
  const ofSocket = new WeakMap<Socket, string>();
  const ofCredential = new WeakMap<Credential, Caller>();
  return {
    of(socket) {
      let network = ofSocket.get(socket);
      if (network === undefined) {
        network = networkKey(socket.remoteAddress ?? '');
        ofSocket.set(socket, network);
      }
      return network;
    },
    on(credential, network) {
      const last = ofCredential.get(credential);
      if (last?.network === network) return last;
      const caller = { ...credential.caller, network };
      ofCredential.set(credential, caller);
      return caller;
    },
  };
}
