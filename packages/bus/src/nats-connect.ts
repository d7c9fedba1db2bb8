import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, second } from '@hearth/clock';
import { unavailable } from '@hearth/errors';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Log } from './bus.ts';

export interface NatsAddress {
  /** `nats://[user:password@ or token@]host:port`, several joined by commas for a cluster. */
  url: string;
  /** Shown in the server's list of connections: the process's name. */
  name: string;
}

/** Between attempts to connect, at the start and later, in milliseconds; up to as much again is added at random. */
const pauseBetweenAttempts = 250;

/** How often the log says that the start still waits. */
const tellEvery = 10 * second;

export interface ConnectPatience {
  clock: Clock;
  log: Log;
  /** Milliseconds. */
  deadline: number;
  signal: AbortSignal | undefined;
}

/**
 * Connects, trying again, and saying so, until `deadline` milliseconds have passed; then rejects with kind
 * `unavailable`. Once it has been up, the connection comes back by itself however long it was away.
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
      // A server that hangs is noticed after 3 unanswered pings.
      pingInterval: 5 * second,
      maxPingOut: 2,
      // Else each publish makes an error, for the sake of its stack alone.
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
  /** Said now and then while it waits. */
  waits: string;
  /** The error at the deadline, made of the last one. */
  gaveUp(last: unknown): Error;
  /** Whether it is worth another attempt (default: each error is). */
  passes?(error: unknown): boolean;
}

/** Tries again until an attempt works, the deadline has come, or an error comes that does not pass. */
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
