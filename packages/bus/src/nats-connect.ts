import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, second } from '@hearth/clock';
import { unavailable } from '@hearth/errors';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Log } from './bus.ts';

export interface NatsAddress {
  /** `nats://[user:password@ or token@]host:port`; several, joined by commas, for a cluster. */
  url: string;
  /** The process's name in the server's list of connections. */
  name: string;
}

/**
 * Milliseconds between connection attempts, at startup and later; random jitter of up to the same amount is
 * added.
 */
const pauseBetweenAttempts = 250;

/** How often the log reports that startup is waiting. */
const tellEvery = 10 * second;

export interface ConnectPatience {
  clock: Clock;
  log: Log;
  /** Milliseconds. */
  deadline: number;
  signal: AbortSignal | undefined;
}

/**
 * Connects, retrying and logging, until `deadline` has passed; then rejects with kind `unavailable`. Once up,
 * the connection is restored automatically, however long it was down.
 */
export function connectToNats(address: NatsAddress, waiting: ConnectPatience): Promise<NatsConnection> {
  const server = printable(address.url);
  const attempt = () =>
    connect({
      ...credentials(address.url),
      servers: servers(address.url),
      name: address.name,
      timeout: 2 * second,
      maxReconnectAttempts: -1,
      ignoreAuthErrorAbort: true,
      reconnectTimeWait: pauseBetweenAttempts,
      reconnectJitter: pauseBetweenAttempts,
      // A server that hangs is detected after 3 unanswered pings.
      pingInterval: 5 * second,
      maxPingOut: 2,
      // Otherwise each publish creates an error just for its stack.
      noAsyncTraces: true,
    });
  return insist(attempt, waiting, {
    waits: `waiting for NATS: no server answers at ${server} yet (NATS_URL)`,
    gaveUp: (error) =>
      unavailable(
        `no NATS server answers at ${server} since ${waiting.deadline} ms; is NATS_URL right and the server up?`,
        error,
      ),
  });
}

export interface Insisting {
  /** Logged now and then while waiting. */
  waits: string;
  /** The error to throw at the deadline, made from the last one. */
  gaveUp(last: unknown): Error;
  /** Whether the error is transient (default: all are). */
  passes?(error: unknown): boolean;
}

/** Retries until an attempt succeeds, the deadline passes, or an error is permanent. */
export async function insist<T>(
  attempt: () => Promise<T>,
  { clock, log, deadline, signal }: ConnectPatience,
  { waits, gaveUp, passes = () => true }: Insisting,
): Promise<T> {
  const began = clock.now();
  let tellAt = began;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!passes(error)) throw error;
      const now = clock.now();
      if (now + pauseBetweenAttempts >= began + deadline) throw gaveUp(error);
      if (now >= tellAt) {
        tellAt = now + tellEvery;
        log.warn({ reason: error instanceof Error ? error.message : String(error) }, waits);
      }
      await delay(pauseBetweenAttempts);
      signal?.throwIfAborted();
    }
  }
}

/** The address without its secrets. */
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
