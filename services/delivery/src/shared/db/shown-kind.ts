import type { Db, Tx } from '@hearth/db';
import type { DestinationKind } from './destinations.ts';

/** A send, waiting or ended, as the operator sees it. */
export interface ShownSend {
  kind: DestinationKind;
  /** uuid; for a mail its recipient, or all zeros. */
  destination: string;
  /** uuid */
  id: string;
  at: Date;
  type: string;
  /** hearth.delivery.v1.DeliveryState */
  status: number;
  attemptCount: number;
  lastError: string | null;
  dueAt: Date | null;
}

/** A query for the numbered sends of one destination, paged by number. */
export interface NumberedQuestion {
  destination: string;
  /** Null for every status. */
  status: number | null;
  since: Date | null;
  /** Older sends count as deleted. */
  from: Date;
  /** Only sends with a lower number. */
  before: number | null;
  limit: number;
}

/** The failed sends to replay. */
export interface SendsQuestion {
  destination: string;
  /** Only this send (uuid); null for all in the time span. */
  id: string | null;
  since: Date;
  until: Date;
}

/** The operator's view of a kind and actions on it, mostly as SQL fragments. */
export interface ShownKind {
  /**
   * A send is aliased `e` and has the columns `status`, `at` and `due_at`, with an index on (status, at,
   * destination, id).
   */
  sends: {
    from: string;
    destination: string;
    id: string;
    type: string;
    attempts: string;
    lastError: string;
    /** Hides sends past retention until a job has removed them. */
    hidesOld?: boolean;
  };
  /** A destination is aliased `s`; $1 is the current time. */
  destinations: {
    from: string;
    id: string;
    where?: string;
    failingSince: string;
    /** When sending to it was stopped. */
    stoppedAt?: string;
    stopped?: 'suspended' | 'disabled';
    lastError: string;
    lastDeliveryAt?: string;
    /** AI and event of a subscription. */
    ai?: string;
    event?: string;
    url?: string;
    /** Selects the sends waiting for `d.id`: a table and a condition. */
    waiting: string;
  };
  /** Lists the sends of one destination by number. */
  list?(db: Db, question: NumberedQuestion): Promise<{ rows: ShownSend[]; next: number | null }>;
  /**
   * Resumes a destination, or makes its waiting sends due. Returns what to poke the engine with; empty if
   * nothing changed.
   */
  resume(tx: Tx, destination: string, how: { now: Date; eventId: string }): Promise<string[]>;
  /**
   * Makes failed sends due again if they are at most `limit`. Returns how many match, counted up to `limit +
   * 1`, and what to poke the engine with. If there are more, none is replayed.
   */
  replay?(
    tx: Tx,
    question: SendsQuestion,
    how: { now: Date; limit: number },
  ): Promise<{ found: number; touched: string[] }>;
}

/** The only destination of mails that the operator sees. */
export const mailServer = '00000000-0000-0000-0000-000000000001';

/** Stands for the recipient of a mail to an address without an account. */
export const noPerson = '00000000-0000-0000-0000-000000000000';
