import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, second } from '@hearth/clock';
import { unavailable } from '@hearth/errors';
import { connect, type NatsConnection } from '@nats-io/transport-node';

export interface NatsAddress {
  /** `nats://[user:password@ or token@]host:port`, several joined by commas for a cluster. */
  url: string;
  /** Shown in the server's list of connections: the process's name. */
  name: string;
}

/** Between attempts to connect, at the start and later, in milliseconds; up to as much again is added at random. */
const pauseBetweenAttempts = 250;

/**
 * Connects, trying again until `deadline` milliseconds have passed; then rejects with kind `unavailable`.
 * Once it has been up, the connection comes back by itself however long it was away.
 */
export async function connectToNats(
  address: NatsAddress,
  clock: Clock,
  deadline: number,
): Promise<NatsConnection> {
  const until = clock.now() + deadline;
  for (;;) {
    try {
      return await connect({
        ...credentials(address.url),
        servers: servers(address.url),
        name: address.name,
        timeout: 2 * second,
        maxReconnectAttempts: -1,
        ignoreAuthErrorAbort: true,
        reconnectTimeWait: pauseBetweenAttempts,
        reconnectJitter: pauseBetweenAttempts,
        // A server that hangs is noticed after 3 unanswered pings.
        pingInterval: 5 * second,
        maxPingOut: 2,
      });
    } catch (error) {
      if (clock.now() + pauseBetweenAttempts >= until) {
        throw unavailable(
          `no NATS server answers at ${printable(address.url)} since ${deadline} ms; is NATS_URL right and the server up?`,
          error,
        );
      }
      await delay(pauseBetweenAttempts);
    }
  }
}

/** The address without what is secret in it. */
export function printable(url: string): string {
  return servers(url).join(',');
}

function servers(url: string): string[] {
  return url.split(',').map((part) => new URL(part.trim()).host);
}

function credentials(url: string): { user?: string; pass?: string; token?: string } {
  const { username, password } = new URL(url.split(',')[0]!.trim());
  if (username === '') return {};
  if (password === '') return { token: decodeURIComponent(username) };
  return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
}
