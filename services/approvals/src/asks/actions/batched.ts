import { createCoalescer } from '@hearth/coalesce';
import type { Database } from '@hearth/db';
import type { Outbox } from '@hearth/outbox';
import { insertAsks, type NewAsk } from '../db/insert-asks.ts';
import { type SettlingAnswer, settleByAnswers } from '../db/settle.ts';
import { type SignedApproval, storeSigned } from '../db/store-signed.ts';
import { findWholes, type WholeApproval } from '../db/whole-approvals.ts';

/** The statements of every ask and answer: what comes while one is in flight goes together in the next one. */
export interface Gathered {
  /** The approval of that uuid with those who are asked; null when there is none. */
  find(id: string): Promise<WholeApproval | null>;
  /** Writes an ask and announces it. False when its id or request_id is taken: nothing was written then. */
  ask(ask: NewAsk): Promise<boolean>;
  /** Writes an answer with which an approval settles. False when it waits no more: nothing was written then. */
  settle(answer: SettlingAnswer): Promise<boolean>;
  /** Stores a signed answer and announces it. False when it was stored already: nothing was written then. */
  sign(signed: SignedApproval): Promise<boolean>;
}

const common = {
  maxBatch: 100,
  // A statement costs its own overhead whatever it carries: one at a time carries more.
  maxInFlight: 1,
  spacingMs: 2,
} as const;

export function createGathered(database: Database, outbox: Outbox): Gathered {
  const reads = createCoalescer<string, WholeApproval | null>({
    ...common,
    name: 'batch of approvals',
    async run(ids) {
      const found = await findWholes(database.db, [...new Set(ids)]);
      return ids.map((id) => found.get(id) ?? null);
    },
  });
  const asks = createCoalescer<NewAsk, boolean>({
    ...common,
    name: 'batch of asks',
    // What Postgres does not take of one must not keep back the others.
    splitOnError: true,
    async run(batch) {
      const written = await database.statement((tx) => insertAsks(tx, batch));
      const events = batch.flatMap(({ approval, events }) => (written.has(approval.id) ? events : []));
      if (events.length > 0) outbox.committed(events);
      return batch.map(({ approval }) => written.has(approval.id));
    },
  });
  const answers = createCoalescer<SettlingAnswer, boolean>({
    ...common,
    name: 'batch of answers',
    splitOnError: true,
    run: (batch) => firstOfEach(batch, (firsts) => database.statement((tx) => settleByAnswers(tx, firsts))),
  });
  const signed = createCoalescer<SignedApproval, boolean>({
    ...common,
    name: 'batch of signed answers',
    splitOnError: true,
    async run(batch) {
      const stored = await firstOfEach(batch, (firsts) =>
        database.statement((tx) => storeSigned(tx, firsts)),
      );
      const events = batch.flatMap(({ event }, index) => (stored[index] ? [event] : []));
      if (events.length > 0) outbox.committed(events);
      return stored;
    },
  });
  return { find: reads.add, ask: asks.add, settle: answers.add, sign: signed.add };
}

/** Writes the first of each approval, and says of each whether it was written: whoever comes second comes too late. */
async function firstOfEach<Item extends { id: string }>(
  batch: readonly Item[],
  write: (firsts: Item[]) => Promise<Set<string>>,
): Promise<boolean[]> {
  const firsts = new Map(batch.toReversed().map((item) => [item.id, item]));
  const written = await write([...firsts.values()]);
  return batch.map((item) => written.has(item.id) && firsts.get(item.id) === item);
}
