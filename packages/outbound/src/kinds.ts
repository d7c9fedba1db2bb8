/** One thing to be sent, as its kind keeps it. */
export interface Send {
  /** uuid */
  id: string;
  /** uuid of the destination. */
  destination: string;
  /** Sends of one key go one after the other while the address is healthy; null: no order. */
  orderKey: string | null;
  /** Attempts made before. */
  attempts: number;
}

/** The outcome of one POST, or of one mail that was handed to its server. */
export interface Posted {
  /** When it ended. */
  at: Date;
  /** The duration in milliseconds. */
  ms: number;
  /** The HTTP status of the answer, if any. */
  status: number | null;
  /** Null: it was taken. */
  error: AttemptError | null;
  /** How long the other side asks for with Retry-After. */
  retryAfterMs: number | null;
  /** The body of an answer that was read to its end, and its headers, for kinds that look at them. */
  body?: Buffer;
  headers?: Readonly<Record<string, string>>;
}

/** The outcome of one attempt. */
export interface Outcome<S extends Send> extends Posted {
  send: S;
}

/** Why an attempt failed, in the words that owners of addresses read; never anything that the other side said. */
export type AttemptError =
  | 'connection_refused'
  | 'timeout'
  | 'lookup_failed'
  | 'tls_error'
  | 'refused_address'
  | 'challenge_failed'
  | 'http_3xx'
  | 'http_4xx'
  | 'http_5xx'
  | 'mail_refused';

/** A destination with room: the engine asks the kind for what goes to it next. */
export interface DueQuestion {
  destination: string;
  /** At most so many. */
  limit: number;
  /** Sends in hand: left out. */
  inHand: readonly string[];
  /** Keys of order of those in hand, while order is kept: sends of these keys are left out, too. */
  busyKeys: readonly string[];
}

/** The lease of this process, under which the statement that queues sends may take their new destinations at once. */
export interface Lease {
  /** uuid */
  id: string;
  ms: number;
}

/** A destination for which a statement queued sends. */
export interface Queued {
  destination: string;
  /** It is new, and was taken under the lease. */
  taken: boolean;
  /** For `prepare` of the kind. */
  sends: readonly unknown[];
}

/**
 * Outcomes as a part of the statement by which the engine releases destinations: one statement for both where nothing
 * else is in hand there.
 */
export interface Settlement {
  /** SQL: one statement of a `with`, that writes the outcomes as `settled`; its parameters begin with `$8`. */
  sql: string;
  values: readonly unknown[];
  /** As that of the kind, which does not see what `settled` wrote. */
  nextDueSql: string;
  /** Called when it is written. */
  written?(): void;
}

/**
 * The engine sends for kinds and knows nothing else of them. A kind knows nothing of leases, permits or processes: it
 * touches destinations in the statement or transaction that makes work for them, and pokes the engine after the commit.
 */
export interface OutboundKind<S extends Send> {
  /** In the table `destinations`. */
  number: number;
  /** In metrics. */
  name: string;
  /** Its destinations are deleted when nothing waits there any more: each is used a few times, or once. It settles by a `Settlement`. */
  passing?: boolean;
  /** The most sends of one destination in flight while its address is healthy; one while it fails. */
  parallel: number;
  /**
   * The least time between two looks at what is due, and between two writings of outcomes, where each send may wait so long:
   * much goes at the price of one then. The first after a pause goes at once.
   */
  gatherMs?: number;
  /** The sends due at `now` for each of many destinations, in order, in one statement for all. */
  due(now: Date, questions: readonly DueQuestion[]): Promise<S[]>;
  /** The same of sends that were just queued, for a kind that queues under a lease. */
  prepare?(now: Date, queued: readonly unknown[]): Promise<S[]>;
  /**
   * Sends it once, within a time of its own. Null: the home itself could not (no key to sign with, or `signal` ended it):
   * no attempt is counted and it is tried again some seconds later. Throws nothing but bugs, which are taken as null.
   */
  attempt(send: S, signal: AbortSignal): Promise<Outcome<S> | null>;
  /**
   * Writes attempts, health and what follows (also further sends of the same destinations), for all at once. After it
   * a send is either not due any more or due later; else it would be sent again at once.
   */
  settle(outcomes: readonly Outcome<S>[]): Promise<void> | Settlement;
  /**
   * SQL: when the next send of the destination `d.id` is due, null when nothing waits. Put into the statement by which
   * the engine releases destinations (`d` is the table `destinations`); without parameters.
   */
  nextDueSql: string;
}

/** One message to be posted at once. */
export interface Posting {
  /** Chosen by others: see `GuardedHttp.check`. */
  url: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
  /** For all of it. */
  timeoutMs: number;
  signal: AbortSignal;
  /** The most bytes of the answer that are read (default: 65,536). An address that took it may say more. */
  maxResponseBytes?: number;
}
