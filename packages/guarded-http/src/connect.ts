import { isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { OutboundError } from './outbound-error.ts';
import { isNoSuchName, type Resolver } from './resolver.ts';
import { refused } from './target.ts';

/** The most addresses tried for one name. */
const maxAddresses = 8;

export interface ConnectOptions {
  resolver: Resolver;
  /** Skips the checks of names and addresses. */
  exempt: boolean;
  mayCall(address: string): boolean;
  /** Milliseconds for lookup, TCP and TLS together. */
  timeoutMs: number;
  /** Certificates (PEM) trusted in addition to the well-known ones. */
  ca?: string | undefined;
}

/**
 * Opens connections to one origin. Each connection resolves the name once, refuses the call if any of its
 * addresses is not public, and connects to those very addresses, which defeats DNS rebinding. TLS sessions
 * are not cached: they would carry data from one server to another behind the same name.
 */
export function createConnector({
  resolver,
  exempt,
  mayCall,
  timeoutMs,
  ca,
}: ConnectOptions): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    maxCachedSessions: 0,
    timeout: timeoutMs,
    autoSelectFamily: true,
    lookup: checkedLookup(resolver, exempt ? () => true : mayCall),
    ...(ca === undefined ? {} : { ca }),
  });
  if (exempt) return connect;
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error !== null) return callback(error, null);
      // The last line of defence, independent of the layers above: the connected address must be allowed.
      if (mayCall(socket.remoteAddress ?? '')) return callback(null, socket);
      (socket as Socket).destroy();
      callback(refused(`${options.hostname} is not at a public address`), null);
    });
}

function checkedLookup(resolver: Resolver, mayCall: ConnectOptions['mayCall']): LookupFunction {
  return (hostname, options, callback) => {
    findAddresses(resolver, hostname, mayCall).then(
      (addresses) => {
        if (options.all === true) return callback(null, addresses);
        callback(null, addresses[0]!.address, addresses[0]!.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}

async function findAddresses(resolver: Resolver, hostname: string, mayCall: ConnectOptions['mayCall']) {
  const found = await resolver.resolve(hostname).catch((error: unknown) => {
    if (isNoSuchName(error)) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const words = `the name ${hostname} could not be looked up now (${code}); try again later`;
    throw new OutboundError('lookup', words, { cause: error });
  });
  if (!found.every(mayCall)) throw refused(`${hostname} is not at a public address`);
  const addresses = found.map((address) => ({ address, family: isIP(address) }));
  const each = maxAddresses / 2;
  const chosen = [6, 4].flatMap((family) => addresses.filter((one) => one.family === family).slice(0, each));
  if (chosen.length === 0)
    throw Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' });
  return chosen;
}
