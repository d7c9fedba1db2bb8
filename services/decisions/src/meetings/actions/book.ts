import { createCoalescer } from '@hearth/coalesce';
import type { Claim } from '@hearth/idempotency';
import type { Announcement, OutboxRow, UnitOfWork } from '@hearth/outbox';
import type { HostParts } from '@hearth/runtime';
import { batched } from '../../shared/actions/create-things.ts';
import type { Context } from '../context.ts';
import { bookTimes } from '../db/book-times.ts';
import { insertMeetings, type MeetingRow } from '../db/meetings.ts';
import { toMet } from '../db/met.ts';
import type { OfferChange, StoredOffer } from '../db/offers.ts';
import { isHere } from '../domain/party.ts';
import { afterAct, wakeLists } from './change-offer.ts';
import { lockTimes, refusalOf } from './host-times.ts';
import { goesAway, meetingDue } from './tell-homes.ts';

export interface Booking {
  row: MeetingRow;
  /** The offer as it was looked at. */
  offer: StoredOffer;
  /** The start of the time that it takes. */
  slot: number;
  told: Announcement;
}

/**
 * Takes the time of an offer, and announces the meeting: of those who take the same time at once the first gets it.
 *
 * @param claim of a request that has a request_id; null of every other
 * @throws not_found, bad_request (slot_taken, not_waiting)
 */
export type Book = (booking: Booking, claim: Claim<{ id: string }> | null) => Promise<void>;

/**
 * One statement books times of offers that nothing has changed since they were looked at, where neither side has another offer and
 * who books offers none; the others are booked with the times of both sides locked. Bookings that come while one of either is in flight go together in the next.
 */
export function createBook(host: HostParts<'outbox'>, copies: Context['copies']): Book {
  const { clock, commit, outbox } = host;
  const parts = { clock, copies };
  // One that Postgres refuses must not keep back the others.
  const common = { ...batched, splitOnError: true } as const;
  const asSeen = createCoalescer<Booking & { event: OutboxRow }, boolean>({
    ...common,
    name: 'batch of bookings',
    async run(batch) {
      const { booked, changes } = taken(batch);
      if (booked.size === 0) return batch.map(() => false);
      return await commit.statement(async (tx) => {
        const written = await bookTimes(tx, changes, [...booked], new Date(clock.now()));
        wakeLists(
          tx,
          changes.filter(({ before }) => written.has(before.id)),
        );
        const isWritten = batch.map((one) => booked.has(one) && written.has(one.offer.id));
        tx.announced(batch.flatMap(({ event }, index) => (isWritten[index] ? [event] : [])));
        return isWritten;
      });
    },
  });
  const locked = createCoalescer<Booking, undefined>({
    ...common,
    name: 'batch of bookings, locked',
    run: (batch) => commit((tx) => take(tx, batch)),
  });

  /** For each booking its refusal, where there is one. */
  async function take(tx: UnitOfWork, batch: readonly Booking[]): Promise<(Error | undefined)[]> {
    const times = await lockTimes(parts, tx, {
      viewers: batch.flatMap(({ offer, row }) => [offer.host_viewer, row.guest_viewer]),
      offers: batch.map(({ offer }) => offer.id),
    });
    const refusals = batch.map(({ row, slot }) => refusalOf(() => times.book(toMet(row), slot)));
    const booked = batch.filter((_, index) => refusals[index] === undefined);
    if (booked.length === 0) return refusals;
    await times.write();
    await insertMeetings(
      tx,
      booked.map(({ row }) => row),
    );
    tx.announce(...booked.flatMap(({ row, told }) => [told, ...meetingDue(copies, row)]));
    return refusals;
  }

  /** The offers once these bookings, one after the other, have taken their times. */
  function taken<One extends Booking>(batch: readonly One[]) {
    const before = new Map(batch.map(({ offer }) => [offer.id, offer]));
    const now = new Map(before);
    const booked = batch.filter(({ row, slot }) => {
      const book = { kind: 'book', booker: row.guest_viewer, slot, meeting: row.id } as const;
      return (
        refusalOf(() => now.set(row.offer, afterAct(now.get(row.offer)!, book, clock.now()))) === undefined
      );
    });
    const changed = new Set(booked.map(({ row }) => row.offer));
    const changes = [...changed].map((id): OfferChange => ({ before: before.get(id)!, after: now.get(id)! }));
    return { booked: new Set(booked), changes };
  }

  /** Other homes are to be told, which one statement does not. */
  const isTold = ({ offer, row }: Booking) => goesAway(offer) || !isHere(row.guest);

  return async (booking, claim) => {
    if (claim !== null)
      await commit(async (tx) => {
        await claim(tx, { id: booking.row.id });
        const [refusal] = await take(tx, [booking]);
        if (refusal !== undefined) throw refusal;
      });
    else if (isTold(booking) || !(await asSeen.add({ ...booking, event: outbox.row(booking.told) })))
      await locked.add(booking);
  };
}
