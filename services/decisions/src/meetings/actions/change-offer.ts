import { createMachine, type Machine, type UnitOfWork } from '@hearth/outbox';
import type { HostParts } from '@hearth/runtime';
import type { Context } from '../context.ts';
import { lockOffer, type OfferChange, type OfferRow, type StoredOffer, updateOffers } from '../db/offers.ts';
import { offersTopic } from '../domain/events.ts';
import { dueAt, nextOffer, type OfferAct } from '../domain/offer.ts';
import { offerDue } from './tell-homes.ts';

type Copies = Pick<Context['copies'], 'offers'>;

/** Changes offers under a row lock; if several parties take a time at once, the first one gets it. */
export type OfferMachine = Machine<string, StoredOffer, OfferAct, void>;

export function createOfferMachine({ clock, commit }: HostParts, copies: Copies): OfferMachine {
  return createMachine<string, StoredOffer, OfferAct, void>({
    commit,
    lock: lockOffer,
    next: (before, act) => afterAct(before, act, clock.now()),
    write: (tx, change) => writeOffers(tx, copies, [change]),
  });
}

/** The offer after an act; the same object if nothing changes. @throws as `nextOffer` */
export function afterAct<Row extends OfferRow>(before: Row, act: OfferAct, at: number): Row {
  const after = nextOffer(before, act, at);
  return after === before ? before : { ...after, due_at: dueAt(after) };
}

/** Writes offers whose rows are locked. */
export async function writeOffers(
  tx: UnitOfWork,
  copies: Copies,
  changes: readonly OfferChange[],
): Promise<void> {
  await updateOffers(tx, changes);
  tx.announce(...changes.flatMap(({ before }) => offerDue(copies, before)));
  wakeLists(tx, changes);
}

/** The host's card shows open offers to anyone. */
export function wakeLists(tx: Pick<UnitOfWork, 'wake'>, changes: readonly OfferChange[]): void {
  for (const { before, after } of changes)
    if (after.audience === 'anyone' && after.status !== before.status) tx.wake(offersTopic(after.host_id));
}
