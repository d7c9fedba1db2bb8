/** One item to send, as its kind stores it. */
export interface Send {
  /** uuid */
  id: string;
  /** uuid of the destination. */
  destination: string;
  /** Sends with the same key go in sequence while the destination is healthy; null for no order. */
  orderKey: string | null;
  /** The number of earlier attempts. */
  attempts: number;
}

/** The outcome of one POST, or of handing one mail to its server. */
export interface Posted {
  /** When it ended. */
  at: Date;
  /** The duration in milliseconds. */
  ms: number;
  /** The HTTP status of the answer, if any. */
  status: number | null;
  /** null on success. */
  error: AttemptError | null;
  /** Milliseconds from Retry-After, if any. */
  retryAfterMs: number | null;
  /** Headers and full body of the answer, for kinds that use them. */
  body?: Buffer;
  headers?: Readonly<Record<string, string>>;
}

/** The outcome of one attempt. */
export interface Outcome<S extends Send> extends Posted {
  send: S;
}

/** Why an attempt failed, in the words that the destination's owner reads; never text from the other side. */
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

/** The engine's request for the next sends to a destination with capacity. */
export interface DueQuestion {
  destination: string;
  /** The most sends to return. */
  limit: number;
  /** Sends in flight, to be left out. */
  inHand: readonly string[];
  /** Order keys of the sends in flight, while order applies: sends with these keys are left out too. */
  busyKeys: readonly string[];
}

/** This process's lease, under which the statement that queues sends may take new destinations at once. */
export interface Lease {
  /** uuid */
  id: string;
  ms: number;
}

/** A destination with newly queued sends. */
export interface Queued {
  destination: string;
  /** Whether the destination is new and was taken under the lease. */
  taken: boolean;
  /** Input for the kind's `prepare`. */
  sends: readonly unknown[];
}

/**
 * Outcomes written by the statement with which the engine releases destinations: one statement for both if
 * nothing else is in flight.
 */
export interface Settlement {
  /**
   * SQL: one statement of a `with` clause that writes the outcomes as `settled`; its parameters begin with
   * `$8`.
   */
  sql: string;
  values: readonly unknown[];
  /** The kind's `nextDueSql`, adapted because it does not see the writes of `settled`. */
  nextDueSql: string;
  /** Called after the write. */
  written?(): void;
}

/**
 * A kind of sends. The engine knows nothing else about it. The kind in turn knows nothing of leases, permits
 * or processes: it touches destinations in the statement or transaction that adds work, and pokes the engine
 * after the commit.
 */
export interface OutboundKind<S extends Send> {
  /** Its number in the table `destinations`. */
  number: number;
  /** Its name in metrics. */
  name: string;
  /**
   * Whether destinations are deleted once they have no work, because each is used only a few times. Such a
   * kind settles by a `Settlement`.
   */
  passing?: boolean;
  /** The most concurrent sends to a healthy destination; a failing one gets one at a time. */
  parallel: number;
  /**
   * The least time in milliseconds between two queries of due work, and between two writes of outcomes, if
   * sends can wait that long: a batch then costs as much as one. The first after a pause is not delayed.
   */
  gatherMs?: number;
  /** Returns the sends due at `now` for each of many destinations, in order, with one statement. */
  due(now: Date, questions: readonly DueQuestion[]): Promise<S[]>;
  /** `due` for sends that were just queued, for a kind that queues under a lease. */
  prepare?(now: Date, queued: readonly unknown[]): Promise<S[]>;
  /**
   * Sends it once, within a time limit of its own. Null if the home itself failed (no signing key, or
   * `signal` aborted it): no attempt is counted, and it is retried some seconds later. Only bugs make it
   * throw, which counts as null.
   */
  attempt(send: S, signal: AbortSignal): Promise<Outcome<S> | null>;
  /**
   * Writes attempts, health and consequences (including further sends to the same destinations), in bulk.
   * Afterwards each send must be settled or due later; otherwise it would be sent again at once.
   */
  settle(outcomes: readonly Outcome<S>[]): Promise<void> | Settlement;
  /**
   * SQL: when the next send of destination `d.id` is due, or null. Part of the statement by which the engine
   * releases destinations (`d` is the table `destinations`); no parameters.
   */
  nextDueSql: string;
}

/** A message to post once. */
export interface Posting {
  /** A URL chosen by others: see `GuardedHttp.check`. */
  url: string;
  /** Names in lowercase. */
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
  /** Milliseconds for the whole request. */
  timeoutMs: number;
  signal: AbortSignal;
  /** The most bytes read of the answer (default: 65,536). A successful answer may be longer. */
  maxResponseBytes?: number;
}
