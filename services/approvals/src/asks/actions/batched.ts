import { createCoalescer } from '@hearth/coalesce';
import type { Tx } from '@hearth/db';
import type { Announcement, OutboxRow } from '@hearth/outbox';
import type { AskParts } from '../context.ts';
import { insertAsks, type NewAsk } from '../db/insert-asks.ts';
import { type Settling, settleApprovals } from '../db/settle.ts';
import { type SignedApproval, storeSigned } from '../db/store-signed.ts';
import { findWholes, type WholeApproval } from '../db/whole-approvals.ts';

/** The statements of asks and answers. Calls that arrive while a statement is in flight share the next one. */
export interface Batched {
  /** The approval (uuid) with its recipients, or null. */
  find(id: string): Promise<WholeApproval | null>;
  /** Writes an ask and announces it. False if its id or request_id is taken; then nothing is written. */
  ask(rows: Pick<NewAsk, 'approval' | 'recipients'>, events: readonly Announcement[]): Promise<boolean>;
  /**
   * Writes an answer that settles its approval. False if the approval is no longer waiting; then nothing is
   * written.
   */
  settle(settling: Settling): Promise<boolean>;
  /** Stores a signed answer and announces it. False if it was stored before; then nothing is written. */
  sign(signed: Omit<SignedApproval, 'events'>, events: readonly Announcement[]): Promise<boolean>;
}

const common = {
  maxBatch: 100,
  // Each statement has a fixed overhead, so one large statement at a time has the highest throughput.
  maxInFlight: 1,
  spacingMs: 2,
} as const;

export function createBatched({
  commit,
  database,
  outbox,
}: Pick<AskParts, 'commit' | 'database' | 'outbox'>): Batched {
  /**
   * Writes the first item of each id and reports for each item whether it was written; later items of the
   * same id are not.
   */
  function writer<Item extends { id: string }>(
    name: string,
    statement: (tx: Tx, items: readonly Item[]) => Promise<Set<string>>,
    rowsOf: (item: Item) => readonly OutboxRow[],
  ) {
    return createCoalescer<Item, boolean>({
      ...common,
      name,
      // An item that Postgres rejects must not fail the others.
      splitOnError: true,
      run: (batch) =>
        commit.statement(async (tx) => {
          const firsts = new Map(batch.toReversed().map((item) => [item.id, item]));
          const written = await statement(tx, [...firsts.values()]);
          const isWritten = (item: Item) => written.has(item.id) && firsts.get(item.id) === item;
          tx.announced(batch.filter(isWritten).flatMap(rowsOf));
          return batch.map(isWritten);
        }),
    });
  }

  const reads = createCoalescer<string, WholeApproval | null>({
    ...common,
    name: 'batch of approvals',
    async run(ids) {
      const found = await findWholes(database.db, [...new Set(ids)]);
      return ids.map((id) => found.get(id) ?? null);
    },
  });
  const asks = writer<NewAsk & { id: string }>('batch of asks', insertAsks, ({ events }) => events);
  const answers = writer<Settling>('batch of answers', settleApprovals, () => []);
  const signed = writer<SignedApproval>('batch of signed answers', storeSigned, ({ events }) => events);
  // Outbox rows are built before the wait, within the trace of their request.
  return {
    find: reads.add,
    ask: (rows, events) =>
      asks.add({ ...rows, id: rows.approval.id, events: events.map((event) => outbox.row(event)) }),
    settle: answers.add,
    sign: (one, events) => signed.add({ ...one, events: events.map((event) => outbox.row(event)) }),
  };
}
