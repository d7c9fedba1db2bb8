/** The logger of a bus: any pino-like logger fits. */
export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface Batch {
  /** Dot-separated words below the home's own: `message.sent`. No wildcards. */
  subject: string;
  /** Names the batch for ever: published again within ten minutes under the same id it is stored once. */
  id: string;
  /** At least one; each smaller than the server's largest message (1 MB unless configured otherwise). */
  events: Uint8Array[];
}

/** An event that did not go out while the others of its batch did. */
export interface Refusal {
  /** The same object as in the batch. */
  event: Uint8Array;
  /** Is of kind `too_large` when no message can carry it; else, in process, a consumer failed with it. */
  error: unknown;
}

/** An event that the log has confirmed, and where it lies: positions count up within one life of the log. */
export interface Confirmed {
  position: number;
  event: Uint8Array;
}

export interface Published {
  /** The last event that went out; absent when none did, and in process, where there is no log. */
  last?: Confirmed;
  /** Empty when all is well. */
  refused: readonly Refusal[];
}

export interface ConsumeOptions {
  /** Names the consumer within its home; replicas that give the same name share its events. */
  durable: string;
  /** Subjects as in `Batch`, with `*` for one word and a last `>` for one or more. */
  subjects: string[];
  /**
   * Takes the events of one or more whole batches. Called again for the same events after a rejection, and for those that it
   * answers: they came too early, before others that happened earlier, and come again after a moment.
   *
   * @param attempt how often these were brought; more than 1 only where they come again from NATS
   */
  handle(events: Uint8Array[], attempt: number): Promise<void> | Promise<readonly Uint8Array[]>;
  /** The most events batched into one call (default 200); a single larger batch still comes whole. */
  maxBatch?: number;
}

export interface Subscription {
  /** Resolves when the handling in hand has ended; nothing is handled afterwards. Safe to call twice. */
  stop(): Promise<void>;
}

export interface Health {
  ok: boolean;
  /** Why not, in words for an operator. */
  reason?: string;
}

export interface Reconnection {
  /** True when a new life of the log began: what was published and not yet handled may be gone from it. */
  logLost: boolean;
}

/**
 * Carries what happened from the service where it happened to its consumers. Postgres holds
 * the truth: what is lost here is published again from the outbox.
 *
 * Order: events of one subject come in the order in which one publisher published them, as long as the
 * durable has one replica and no handling is rejected for a reason of the event's own.
 */
export interface Bus {
  /**
   * Resolves once the batch is durable (JetStream) or once every durable consumer whose subjects match
   * has handled it or failed at it (in process). Rejects with kind `unavailable` when that takes longer than the
   * deadline (5 s by default). A rejected batch may still arrive; publish it again under the same id until it resolves.
   */
  publish(batch: Batch): Promise<Published>;
  /**
   * Looks whether the log, in the life `epoch`, still has these events. When it lacks one, a new life begins: the epoch
   * changes, here and in every other process at its next look, and `onReconnect` tells so. A log may have lost its
   * tail, or come back from an older copy, or been purged by hand. An event is there where one begins with its bytes. Waits for a server that is away as `publish` does.
   */
  verify(epoch: string, confirmed: readonly Confirmed[]): Promise<void>;
  /**
   * A durable consumer: every event at least once, in batches collected while earlier ones were handled.
   * A rejected handling is tried again with growing pauses; see `Retries` for how long it holds up others. The events
   * of a batch that do not fail by themselves are not tried again.
   */
  consume(options: ConsumeOptions): Promise<Subscription>;
  /** Whether that durable may have a consumer: within one process it is known, over NATS it is assumed. */
  mayConsume(durable: string): boolean;
  /** Tells every subscriber in every process, at once or never: nothing may rest on it. Throws nothing. */
  signal(subject: string, payload: Uint8Array): void;
  /**
   * Resolves once every process has handled what this one signalled so far. One that is silent for a second isn't waited
   * for: it has lost its connection, and forgets what it kept when it is back.
   */
  heard(): Promise<void>;
  /** Listens to signals whose subject matches (wildcards as in `ConsumeOptions.subjects`). */
  onSignal(subject: string, listener: (payload: Uint8Array) => void): Subscription;
  /** Called when the connection was lost and is back: what was signalled between may have been missed. */
  onReconnect(listener: (reconnection: Reconnection) => void): void;
  /**
   * Names the present life of the durable log: it changes when the log began anew (its data was wiped) or
   * `verify` found events missing. Whoever stores it beside what it published can tell which rows to publish again.
   */
  epoch(): string;
  health(): Health;
  /**
   * Stops every consumer, for good. In a bus within the process what is being published fails then, at once: nothing would
   * handle it, and its outbox keeps it for the next start.
   */
  stopConsuming(): Promise<void>;
  /** Stops consuming and ends the connection. */
  close(): Promise<void>;
}
