import { createCoalescer } from '@hearth/coalesce';
import type { Tx } from '@hearth/db';
import type { Announcement, OutboxRow } from '@hearth/outbox';
import type { AskParts } from '../context.ts';
import { insertAsks, type NewAsk } from '../db/insert-asks.ts';
import { type Settling, settleApprovals } from '../db/settle.ts';
import { type SignedApproval, storeSigned } from '../db/store-signed.ts';
import { findWholes, type WholeApproval } from '../db/whole-approvals.ts';

/** The statements of every ask and answer. Calls that come while a statement is in flight go together in the next one. */
export interface Batched {
  /** The approval of that uuid with its recipients, or null. */
  find(id: string): Promise<WholeApproval | null>;
  /** Writes an ask and announces it. False when its id or request_id is taken: nothing is written then. */
  ask(rows: Pick<NewAsk, 'approval' | 'recipients'>, events: readonly Announcement[]): Promise<boolean>;
  /** Writes an answer with which an approval settles. False when it waits no more: nothing is written then. */
  settle(settling: Settling): Promise<boolean>;
  /** Stores a signed answer and announces it. False when it was stored already: nothing is written then. */
  sign(signed: Omit<SignedApproval, 'events'>, events: readonly Announcement[]): Promise<boolean>;
}

const common = {
  maxBatch: 100,
  // A statement costs its own overhead whatever it carries: one at a time carries more.
  maxInFlight: 1,
  spacingMs: 2,
} as const;

export function createBatched({
  commit,
  database,
  outbox,
}: Pick<AskParts, 'commit' | 'database' | 'outbox'>): Batched {
  /** Writes the first item of each id, and tells for each item whether it was written: the second of an id is too late. */
  function writer<Item extends { id: string }>(
    name: string,
    statement: (tx: Tx, items: readonly Item[]) => Promise<Set<string>>,
    rowsOf: (item: Item) => readonly OutboxRow[],
  ) {
    return createCoalescer<Item, boolean>({
      ...common,
      name,
      // An item that Postgres refuses must not keep back the others.
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
  // Rows are made before they wait for a statement, within the trace of their request.
  return {
    find: reads.add,
    ask: (rows, events) =>
      asks.add({ ...rows, id: rows.approval.id, events: events.map((event) => outbox.row(event)) }),
    settle: answers.add,
    sign: (one, events) => signed.add({ ...one, events: events.map((event) => outbox.row(event)) }),
  };
}
