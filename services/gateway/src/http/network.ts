import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { isPublicAddress } from '@hearth/guarded-http';
import { networkKey } from '@hearth/limits';
import type { Caller } from '@hearth/rpc';
import proxyAddress from 'proxy-addr';

/** The network of a request: the /24 or /56 of the caller's address, coarse enough for counting. */
export interface Network {
  of(request: IncomingMessage): string;
  /** Whether it comes from this machine or a private network. False if an untrusted proxy passed it on. */
  isInside(request: IncomingMessage): boolean;
  /** A connection's network. Undefined for trusted proxies and non-public addresses, which many clients share. */
  behind(socket: Socket): string | undefined;
  /** The credential's caller, with that network. */
  on(credential: { readonly caller: Caller }, network: string): Caller;
}

type Trusts = ReturnType<typeof proxyAddress.compile>;

const inside = proxyAddress.compile(['loopback', 'linklocal', 'uniquelocal']);

/**
 * Uses the connection's address, which no header can forge. Behind a trusted proxy, reads X-Forwarded-For
 * from its end, which the proxy wrote, up to the first address that is no trusted proxy; a client can write
 * anything before that.
 *
 * @param trustedProxies addresses, networks and keywords, as in HEARTH_TRUSTED_PROXIES
 */
export function createNetwork(trustedProxies: readonly string[] = []): Network {
  const trusts = trustedProxies.length === 0 ? undefined : proxyAddress.compile([...trustedProxies]);
  // A connection's address never changes and a credential's network hardly ever does, so both results are
  // cached.
  const ofSocket = new WeakMap<Socket, Connection>();
  const ofCredential = new WeakMap<object, Caller>();
  return {
    of(request) {
      let connection = ofSocket.get(request.socket);
      if (connection === undefined) {
        connection = connectionOf(request.socket, trusts);
        ofSocket.set(request.socket, connection);
      }
      const { network, trustedBy } = connection;
      return trustedBy === undefined ? network : networkKey(forwardedFor(request, trustedBy));
    },
    isInside(request) {
      const { remoteAddress = '' } = request.socket;
      const trustedBy = trusts?.(remoteAddress, 0) ? trusts : undefined;
      const { forwarded, 'x-forwarded-for': forwardedList } = request.headers;
      const passedOn = forwarded !== undefined || forwardedList !== undefined;
      if (trustedBy !== undefined) return inside(forwardedFor(request, trustedBy), 0);
      return !passedOn && inside(remoteAddress, 0);
    },
    behind({ remoteAddress = '' }) {
      const plain = remoteAddress.replace(/^::ffff:(?=[\d.]+$)/i, '');
      return isPublicAddress(plain) && !trusts?.(remoteAddress, 0) ? networkKey(plain) : undefined;
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

interface Connection {
  network: string;
  /** Set if the other end is a trusted proxy. */
  trustedBy: Trusts | undefined;
}

function connectionOf({ remoteAddress = '' }: Socket, trusts: Trusts | undefined): Connection {
  return {
    network: networkKey(remoteAddress),
    trustedBy: trusts?.(remoteAddress, 0) ? trusts : undefined,
  };
}

/** The client that the trusted proxies name; the last proxy itself if the name is no address. */
function forwardedFor(request: IncomingMessage, trusts: Trusts): string {
  return proxyAddress.all(request, trusts).findLast((address) => isIP(address) !== 0) ?? '';
}
