import { type Clock, nowDate } from '@hearth/clock';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Health, Log, Reconnection } from './bus.ts';
import { pause } from './pause.ts';

/**
 * Tracks whether the log is usable: the server is connected, and its stream was checked since. The epoch
 * identifies the stream's life; it differs after data loss.
 */
export interface Session {
  /** The epoch; null while the connection is down or the stream is unchecked. */
  epoch(): string | null;
  lastEpoch(): string;
  /** Resolves with the epoch once there is one; never rejects. */
  ready(): Promise<string>;
  /** `ready`, or null after the given time. */
  readyWithin(milliseconds: number): Promise<string | null>;
  /** Checks the stream again; `reason` is for the log: "the event log is missing". */
  doubt(reason: string): void;
  /** Called when the log becomes unusable. */
  onLoss(listener: () => void): void;
  onReconnect(listener: (reconnection: Reconnection) => void): void;
  health(): Health;
  end(): void;
}

export interface SessionOptions {
  connection: NatsConnection;
  /** Ensures that the stream exists, and returns its epoch. */
  ensureStream(): Promise<string>;
  /** The result of `ensureStream` at startup. */
  firstEpoch: string;
  /** The server's address, for logs. */
  server: string;
  clock: Clock;
  log: Log;
}

const pauseBetweenLooks = 500;

export function createSession(options: SessionOptions): Session {
  const { connection, ensureStream, server, clock, log } = options;
  const losses: (() => void)[] = [];
  const listeners: ((reconnection: Reconnection) => void)[] = [];
  const end = new AbortController();
  let last = options.firstEpoch;
  let current: string | null = last;
  const waiters = new Set<(epoch: string) => void>();
  let trouble: string | undefined;
  let looking = false;

  function lose(reason: string): void {
    current = null;
    trouble = `${reason} since ${nowDate(clock).toISOString()}`;
    for (const listener of losses) listener();
  }

  /** Checks the stream until the server answers; starts over if the connection is lost meanwhile. */
  async function look(): Promise<void> {
    if (looking) return;
    looking = true;
    while (!end.signal.aborted && current === null) {
      try {
        const epoch = await ensureStream();
        regain(epoch);
      } catch (error) {
        log.warn({ server, err: error }, 'the event log cannot be reached yet');
        await pause(pauseBetweenLooks, end.signal);
      }
    }
    looking = false;
  }

  function regain(epoch: string): void {
    const logLost = epoch !== last;
    last = epoch;
    current = epoch;
    trouble = undefined;
    if (logLost) log.error({ server }, 'NATS has lost events that it had confirmed; they are published anew');
    else log.info({ server }, 'the event log is back');
    for (const resolve of waiters) resolve(epoch);
    waiters.clear();
    for (const listener of listeners) notify(listener, { logLost });
  }

  function notify(listener: (reconnection: Reconnection) => void, reconnection: Reconnection): void {
    try {
      listener(reconnection);
    } catch (error) {
      log.error({ err: error }, 'a listener for reconnections failed');
    }
  }

  async function watch(): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        lose(`the connection to NATS at ${server} is lost`);
        log.warn({ server }, 'the connection to NATS is lost');
      } else if (status.type === 'reconnect') {
        void look();
      }
    }
    const error = await connection.closed();
    if (!end.signal.aborted) {
      lose(`the connection to NATS at ${server} has ended (${error?.message ?? 'without a reason'})`);
      log.error({ server, err: error }, 'the connection to NATS has ended and will not come back');
    }
  }
  void watch();

  return {
    epoch: () => current,
    lastEpoch: () => last,
    ready: () =>
      current === null ? new Promise((resolve) => waiters.add(resolve)) : Promise.resolve(current),
    readyWithin(milliseconds) {
      if (current !== null) return Promise.resolve(current);
      return new Promise((resolve) => {
        const settle = (epoch: string | null) => {
          clearTimeout(timer);
          waiters.delete(settle);
          resolve(epoch);
        };
        const timer = setTimeout(settle, milliseconds, null);
        waiters.add(settle);
      });
    },
    doubt(reason) {
      if (current === null) return;
      lose(`${reason} on NATS at ${server}`);
      void look();
    },
    onLoss: (listener) => void losses.push(listener),
    onReconnect: (listener) => void listeners.push(listener),
    health: () => (trouble === undefined ? { ok: true } : { ok: false, reason: trouble }),
    end: () => end.abort(),
  };
}
