import type { Bus } from '@hearth/bus';
import type { Database, Tx } from '@hearth/db';
import type { Ids } from '@hearth/ids';
import type { Announcement } from './announcement.ts';
import type { Outbox, OutboxRow } from './outbox.ts';
import { type AwaitSettled, createAwaitSettled } from './settling.ts';

/**
 * Facts that processes cache, and drop when signalled with an id: `people` (uuid, or empty for all),
 * `credentials` (uuid of an AI, person, app or session), `apps` (uuid), `message_blocks` (uuid of the
 * blocker), `message_contacts` (empty), `home_keys` (empty), `homes` and `home_cards` (a remote home's name).
 */
export type FactSignal =
  | 'people'
  | 'credentials'
  | 'apps'
  | 'message_blocks'
  | 'message_contacts'
  | 'home_keys'
  | 'homes'
  | 'home_cards';

/** Effects that follow a commit, and are dropped if the transaction fails. */
interface AfterCommit {
  /** Makes every process drop its cached copy of this fact. */
  signal(fact: FactSignal, ...ids: string[]): void;
  /** Wakes the holders of these topics. */
  wake(...topics: string[]): void;
}

/** A transaction with its announcements. */
export interface UnitOfWork extends Tx, AfterCommit {
  /** Writes these events in the transaction; after the commit they are published and their topics woken. */
  announce(...announcements: readonly Announcement[]): void;
}

/** A transaction of one statement, which writes its own outbox rows. */
export interface StatementOfWork extends Tx, AfterCommit {
  /** Registers the rows (from `Outbox.row`) that the statement wrote. */
  announced(rows: readonly OutboxRow[]): void;
}

/** The only way for a service to write state together with its announcements. */
export interface Commit {
  /**
   * Runs `work` in a transaction (`Database.transaction`: it may run again after a deadlock, so its only
   * effects are through its tx). Announced events are inserted into the outbox before the commit; wakes and
   * publishing follow it, and are not awaited. Resolves once every process has dropped the signalled facts.
   */
  <T>(work: (tx: UnitOfWork) => Promise<T>): Promise<T>;
  /** `Commit` for a hot path that writes everything in one statement (`Database.statement`). */
  statement<T>(work: (tx: StatementOfWork) => Promise<T>): Promise<T>;
  /**
   * For an operation that reports completion although consumers do part of the work: announce the returned
   * event, and await `settled` after the commit. Never use it within a consumer.
   */
  awaitSettled: AwaitSettled;
}

export interface CommitOptions {
  database: Pick<Database, 'transaction' | 'statement'>;
  outbox: Pick<Outbox, 'row' | 'insert' | 'committed' | 'wake'>;
  bus: Pick<Bus, 'signal' | 'onSignal' | 'heard' | 'mayConsume'>;
  ids: Ids;
}

export function createCommit({ database, outbox, bus, ids }: CommitOptions): Commit {
  async function commit<T>(work: (tx: UnitOfWork) => Promise<T>): Promise<T> {
    let last = pending();
    const result = await database.transaction(async (tx) => {
      // A retry after a deadlock announces from scratch.
      const mine = pending();
      const answer = await work({
        ...tx,
        ...mine.later,
        announce: (...announcements) => mine.rows.push(...announcements.map(outbox.row)),
      });
      if (mine.rows.length > 0) mine.rows = await outbox.insert(tx, mine.rows);
      last = mine;
      return answer;
    });
    await follow(last);
    return result;
  }

  async function statement<T>(work: (tx: StatementOfWork) => Promise<T>): Promise<T> {
    const mine = pending();
    const result = await database.statement((tx) =>
      work({ ...tx, ...mine.later, announced: (rows) => mine.rows.push(...rows) }),
    );
    await follow(mine);
    return result;
  }

  function follow({ rows, signals, topics }: Pending): Promise<void> | undefined {
    for (const [fact, id] of signals) bus.signal(fact, Buffer.from(id));
    if (topics.length > 0) outbox.wake(topics);
    if (rows.length > 0) outbox.committed(rows);
    return signals.length > 0 ? bus.heard() : undefined;
  }

  return Object.assign(commit, { statement, awaitSettled: createAwaitSettled(bus, ids) });
}

interface Pending {
  rows: OutboxRow[];
  signals: [fact: FactSignal, id: string][];
  topics: string[];
  later: AfterCommit;
}

function pending(): Pending {
  const signals: Pending['signals'] = [];
  const topics: string[] = [];
  return {
    rows: [],
    signals,
    topics,
    later: {
      signal: (fact, ...ids) => signals.push(...ids.map((id): [FactSignal, string] => [fact, id])),
      wake: (...woken) => topics.push(...woken),
    },
  };
}
