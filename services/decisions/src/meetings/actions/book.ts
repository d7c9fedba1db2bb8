import { createCoalescer } from '@hearth/coalesce';
import { asHearthError, notFound } from '@hearth/errors';
import type { Claim } from '@hearth/idempotency';
import type { UnitOfWork } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import { insertMeetings, type MeetingRow } from '../db/meetings.ts';
import { lockOffers, type OfferRow } from '../db/offers.ts';
import { meetingChanged } from '../domain/events.ts';
import { batched } from './batches.ts';
import { afterAct, writeOffers } from './change-offer.ts';

export interface Booking {
  row: MeetingRow;
  /** The start of the time that it takes. */
  slot: number;
  by: Caller;
  /** uuids of those of its people to whom no mail goes. */
  unmailed: readonly string[];
}

/**
 * Takes the time of an offer, and announces the meeting: of those who take the same time at once the first gets it.
 *
 * @param claim of a request that has a request_id; null of every other
 * @throws not_found, bad_request (slot_taken, not_waiting)
 */
export type Book = (booking: Booking, claim: Claim<{ id: string }> | null) => Promise<void>;

/** Bookings that come while one transaction is in flight go together in the next. */
export function createBook({ clock, commit }: HostParts): Book {
  const bookings = createCoalescer<Booking, undefined>({
    ...batched,
    name: 'batch of bookings',
    // One that Postgres refuses must not keep back the others.
    splitOnError: true,
    run: (batch) => commit((tx) => take(tx, batch)),
  });

  /** For each booking its refusal, where there is one. */
  async function take(tx: UnitOfWork, batch: readonly Booking[]): Promise<(Error | undefined)[]> {
    const before = new Map<string, OfferRow>();
    for (const row of await lockOffers(tx, [...new Set(batch.map(({ row }) => row.offer))]))
      before.set(row.id, row);
    const now = new Map(before);
    const at = clock.now();
    const refusals = batch.map(({ row, slot }) => {
      const offer = now.get(row.offer);
      if (offer === undefined) return notFound();
      try {
        now.set(
          offer.id,
          afterAct(offer, { kind: 'book', booker: row.guest_viewer, slot, meeting: row.id }, at),
        );
        return undefined;
      } catch (refusal) {
        return asHearthError(refusal);
      }
    });
    const booked = batch.filter((_, index) => refusals[index] === undefined);
    if (booked.length === 0) return refusals;
    const changed = new Set(booked.map(({ row }) => row.offer));
    await writeOffers(
      tx,
      [...changed].map((id) => ({ before: before.get(id)!, after: now.get(id)! })),
    );
    await insertMeetings(
      tx,
      booked.map(({ row }) => row),
    );
    tx.announce(
      ...booked.map(({ row, by, unmailed }) =>
        meetingChanged(row, { what: 'booked', side: 1, by, unmailed }),
      ),
    );
    return refusals;
  }

  return async (booking, claim) => {
    if (claim === null) await bookings.add(booking);
    else
      await commit(async (tx) => {
        await claim(tx, { id: booking.row.id });
        const [refusal] = await take(tx, [booking]);
        if (refusal !== undefined) throw refusal;
      });
  };
}
