import type { Bus } from '@hearth/bus';
import type { Database, Tx } from '@hearth/db';
import type { Ids } from '@hearth/ids';
import type { Announcement } from './announcement.ts';
import type { Outbox, OutboxRow } from './outbox.ts';
import { type AwaitSettled, createAwaitSettled } from './settling.ts';

/**
 * Facts that processes keep in memory and forget when their signal carries the id: `people` (uuid, or empty for
 * everyone), `credentials` (uuid of an AI, person, app or session), `apps` (uuid), `message_blocks` (uuid of the blocker),
 * `message_contacts` (empty), `home_keys` (empty), `homes` and `home_cards` (the name of another home).
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

/** Effects that follow a commit by themselves, and are forgotten when the transaction fails. */
interface AfterCommit {
  /** Tells every process that keeps this fact in memory to forget it. */
  signal(fact: FactSignal, ...ids: string[]): void;
  /** Tells the holders of these topics to look again. */
  wake(...topics: string[]): void;
}

/** One transaction, and what becomes known with it. */
export interface UnitOfWork extends Tx, AfterCommit {
  /** Writes these events with the state of this transaction; they are published and their topics woken after the commit. */
  announce(...announcements: readonly Announcement[]): void;
}

/** One statement that is the whole transaction and writes its outbox rows itself. */
export interface StatementOfWork extends Tx, AfterCommit {
  /** The rows (of `Outbox.row`) that the statement wrote. */
  announced(rows: readonly OutboxRow[]): void;
}

/** The only way in which a service writes state together with its announcement. */
export interface Commit {
  /**
   * Runs `work` in a transaction (`Database.transaction`: it may run again after a deadlock, so it has no effect but
   * through its tx). Announced events are inserted into the outbox before the commit; wakes and publishing follow the
   * commit and are not waited for. When it resolves, every process has forgotten the facts that it signalled.
   */
  <T>(work: (tx: UnitOfWork) => Promise<T>): Promise<T>;
  /** The same for a hot path that writes everything in one statement (`Database.statement`). */
  statement<T>(work: (tx: StatementOfWork) => Promise<T>): Promise<T>;
  /**
   * For an operation whose answer says that a thing is done, while consumers do part of it: announce what this returns, and
   * await `settled` after the commit. Never within a consumer.
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
      // A second run after a deadlock announces anew.
      const mine = pending();
      const answer = await work({
        ...tx,
        ...mine.later,
        announce: (...announcements) => mine.rows.push(...announcements.map(outbox.row)),
      });
      if (mine.rows.length > 0) await outbox.insert(tx, mine.rows);
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
