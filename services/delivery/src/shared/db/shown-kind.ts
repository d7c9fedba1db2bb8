import type { Db, Tx } from '@hearth/db';
import type { DestinationKind } from './destinations.ts';

/** A send on its way or there, as the operator sees it. */
export interface ShownSend {
  kind: DestinationKind;
  /** uuid; of a mail its person, or all zeros. */
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

/** The sends of one destination, where these have numbers: pages go by them. */
export interface NumberedQuestion {
  destination: string;
  /** Every one when null. */
  status: number | null;
  since: Date | null;
  /** Nothing that is older is kept. */
  from: Date;
  /** Only what stands before it. */
  before: number | null;
  limit: number;
}

/** The sends that go once more: those that failed. */
export interface SendsQuestion {
  destination: string;
  /** One alone (uuid); null for all of that time. */
  id: string | null;
  since: Date;
  until: Date;
}

/** The operator's view of a kind, and what they do with it: mostly as pieces of SQL. */
export interface ShownKind {
  /** A send is `e`, with its columns `status`, `at` and `due_at`; an index stands by (status, at, destination, id). */
  sends: {
    from: string;
    destination: string;
    id: string;
    type: string;
    attempts: string;
    lastError: string;
    /** Those before the oldest that is kept are hidden until a job has removed them. */
    hidesOld?: boolean;
  };
  /** A destination is `s`; $1 is the present moment. */
  destinations: {
    from: string;
    id: string;
    where?: string;
    failingSince: string;
    /** When deliveries were stopped. */
    stoppedAt?: string;
    stopped?: 'suspended' | 'disabled';
    lastError: string;
    lastDeliveryAt?: string;
    /** The AI and event of a subscription. */
    ai?: string;
    event?: string;
    url?: string;
    /** Finds what waits at `d.id`: a table and a condition. */
    waiting: string;
  };
  /** Lists the sends of one destination by their numbers. */
  list?(db: Db, question: NumberedQuestion): Promise<{ rows: ShownSend[]; next: number | null }>;
  /** Uses a destination again, or makes what waits there due; what to poke the engine with, nothing where nothing changed. */
  resume(tx: Tx, destination: string, how: { now: Date; eventId: string }): Promise<string[]>;
  /**
   * Makes due once more what failed, at most `limit`; how many there are, up to one more, and what to poke the engine with.
   * With more than that nothing happens.
   */
  replay?(
    tx: Tx,
    question: SendsQuestion,
    how: { now: Date; limit: number },
  ): Promise<{ found: number; touched: string[] }>;
}

/** The mail server is the one destination of mails that the operator sees. */
export const mailServer = '00000000-0000-0000-0000-000000000001';

/** In the place of the person of a mail that is for none whom the home knows. */
export const noPerson = '00000000-0000-0000-0000-000000000000';
