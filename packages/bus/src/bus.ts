/** A pino-like logger. */
export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface Batch {
  /** Dot-separated words below the home's own prefix: `message.sent`. No wildcards. */
  subject: string;
  /** Idempotency key: a batch published again under the same id within ten minutes is stored once. */
  id: string;
  /** At least one event; each smaller than the server's largest message (1 MB by default). */
  events: Uint8Array[];
}

/** An event that could not be published although its batch was. */
export interface Refusal {
  /** The object from the batch. */
  event: Uint8Array;
  /** `too_large` if no message can carry it; otherwise, in process, the error of the consumer that failed. */
  error: unknown;
}

/** An event confirmed by the log, with its position. Positions increase within one life of the log. */
export interface Confirmed {
  position: number;
  event: Uint8Array;
}

export interface Published {
  /** The last event published; absent if there was none, and in process, where there is no log. */
  last?: Confirmed;
  /** Empty on success. */
  refused: readonly Refusal[];
}

export interface ConsumeOptions {
  /** Names the consumer within its home; replicas with the same name share its events. */
  durable: string;
  /** Subjects as in `Batch`, with `*` for one word and a last `>` for one or more. */
  subjects: string[];
  /**
   * Handles the events of one or more whole batches. Called again for the same events after a rejection, and
   * for the events it returns: those arrived before others that happened earlier, and are redelivered after a
   * moment.
   *
   * @param attempt the delivery count; above 1 only when NATS redelivers
   */
  handle(events: Uint8Array[], attempt: number): Promise<void> | Promise<readonly Uint8Array[]>;
  /** The most events per call (default 200); a larger batch still arrives whole. */
  maxBatch?: number;
}

export interface Subscription {
  /** Resolves once the current handling has ended; nothing is handled afterwards. Idempotent. */
  stop(): Promise<void>;
}

export interface Health {
  ok: boolean;
  /** The reason, in words for an operator. */
  reason?: string;
}

export interface Reconnection {
  /** Whether a new life of the log began: events published but not yet handled may be lost. */
  logLost: boolean;
}

/**
 * Carries events from the service that publishes them to its consumers. Postgres holds the truth: events lost
 * here are published again from the outbox.
 *
 * Order: events of one subject arrive in the order in which one publisher published them, as long as the
 * durable has one replica and no handling is rejected because of the event itself.
 */
export interface Bus {
  /**
   * Resolves once the batch is durable (JetStream), or once every matching durable consumer has handled it or
   * failed (in process). Rejects with kind `unavailable` after the deadline (5 s by default). A rejected
   * batch may still arrive; retry with the same id until it resolves.
   */
  publish(batch: Batch): Promise<Published>;
  /**
   * Checks that the log, in life `epoch`, still has these events. If one is missing, a new life begins: the
   * epoch changes, here and in every other process at its next check, and `onReconnect` fires. A log can lose
   * its tail, be restored from an older copy, or be purged by hand. An event counts as present if a stored
   * one begins with its bytes. Waits for an unreachable server as `publish` does.
   */
  verify(epoch: string, confirmed: readonly Confirmed[]): Promise<void>;
  /**
   * Starts a durable consumer: at-least-once delivery, in batches collected while earlier ones are handled. A
   * rejected handling is retried with backoff; see `Retries` for how long it holds up others. Only the events
   * of a batch that fail on their own are retried.
   */
  consume(options: ConsumeOptions): Promise<Subscription>;
  /** Whether this durable may have a consumer: known within one process, assumed over NATS. */
  mayConsume(durable: string): boolean;
  /** Signals every subscriber in every process, at most once; nothing may depend on it. Never throws. */
  signal(subject: string, payload: Uint8Array): void;
  /**
   * Resolves once every process has handled this process's signals so far. Does not wait for a process that
   * is silent for a second: it has lost its connection, and drops its caches when it reconnects.
   */
  heard(): Promise<void>;
  /** Listens to signals with a matching subject (wildcards as in `ConsumeOptions.subjects`). */
  onSignal(subject: string, listener: (payload: Uint8Array) => void): Subscription;
  /** Called after a lost connection is restored: signals in between may have been missed. */
  onReconnect(listener: (reconnection: Reconnection) => void): void;
  /**
   * Identifies the current life of the durable log. It changes when the log was recreated (its data was
   * wiped) or `verify` found events missing. Stored with published rows, it tells which ones to publish
   * again.
   */
  epoch(): string;
  health(): Health;
  /**
   * Stops all consumers for good. An in-process bus also rejects pending publishes at once: nothing would
   * handle them, and the outbox keeps them for the next start.
   */
  stopConsuming(): Promise<void>;
  /** Stops consuming and closes the connection. */
  close(): Promise<void>;
}
