import { unavailable } from '@hearth/errors';
import type { Log } from './log.ts';
import { createRedisClient, type RedisClient } from './redis-client.ts';

/** The timeout of one command, in milliseconds. */
export const commandDeadline = 250;
/** How long a server may leave a command unanswered before the connection is replaced, in milliseconds. */
const longestSilence = 2_000;

/**
 * The shared Redis as the home uses it: its contents may disappear at any moment, and neither its absence nor its
 * silence may block a caller.
 */
export interface RedisGuard {
  /** Whether a command would be sent now. */
  readonly isReady: boolean;
  /** Why Redis isn't ready, in words for an operator. */
  readonly trouble: string | undefined;
  /**
   * Sends a command. Rejects with `unavailable`: immediately while Redis is away or silent, otherwise after the
   * deadline.
   */
  run<T>(command: (client: RedisClient) => Promise<T>): Promise<T>;
  /** Resolves on the first connection. */
  readonly reached: Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects in the background and reconnects after each loss; logs each outage once.
 *
 * @param deadline timeout of one command, in milliseconds
 */
export function createRedisGuard(url: string, log: Log, deadline: number): RedisGuard {
  const client = createRedisClient(url);
  let trouble: string | undefined = 'Redis has not been reached yet';
  let logged = false;
  let silence: NodeJS.Timeout | undefined;
  let closed = false;
  const reached = Promise.withResolvers<void>();

  function fall(reason: string, err: unknown): void {
    trouble = reason;
    if (!logged && !closed) log.warn({ err }, `${reason}; the home goes on without what it kept there`);
    logged = true;
  }

  function rise(): void {
    clearTimeout(silence);
    silence = undefined;
    trouble = undefined;
    if (logged) log.info({}, 'Redis is back');
    logged = false;
    reached.resolve();
  }

  function connect(): void {
    // Retries by itself until it succeeds; failures arrive as `error` events.
    client.connect().catch((err: unknown) => fall('Redis cannot be reached', err));
  }

  client.on('error', (err: unknown) => fall('Redis cannot be reached', err));
  client.on('ready', rise);
  connect();

  /** Sends nothing more until the outstanding answer arrives; if it never does, reconnects. */
  function fallSilent(owed: Promise<unknown>): void {
    if (trouble !== undefined) return;
    fall('Redis does not answer in time', undefined);
    const riseIfReady = () => {
      if (client.isReady && silence !== undefined) rise();
    };
    owed.then(riseIfReady, () => {});
    silence = setTimeout(() => {
      silence = undefined;
      if (closed) return;
      client.destroy();
      connect();
    }, longestSilence);
  }

  return {
    get isReady() {
      return trouble === undefined && client.isReady;
    },
    get trouble() {
      return trouble ?? (client.isReady ? undefined : 'Redis cannot be reached');
    },
    run(command) {
      if (trouble !== undefined || !client.isReady)
        return Promise.reject(unavailable(trouble ?? 'Redis is away'));
      return new Promise((resolve, reject) => {
        const owed = command(client);
        const timer = setTimeout(() => {
          fallSilent(owed);
          reject(unavailable('Redis does not answer in time'));
        }, deadline);
        owed.then(resolve, reject).finally(() => clearTimeout(timer));
      });
    },
    reached: reached.promise,
    async close() {
      closed = true;
      clearTimeout(silence);
      if (client.isOpen) client.destroy();
    },
  };
}
