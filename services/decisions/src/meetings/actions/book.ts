import { createCoalescer } from '@hearth/coalesce';
import { asHearthError, notFound } from '@hearth/errors';
import type { Claim } from '@hearth/idempotency';
import type { Announcement, OutboxRow, UnitOfWork } from '@hearth/outbox';
import type { HostParts } from '@hearth/runtime';
import { batched } from '../../shared/actions/create-things.ts';
import type { Context } from '../context.ts';
import { bookTimes } from '../db/book-times.ts';
import { insertMeetings, type MeetingRow } from '../db/meetings.ts';
import { lockOffers, type OfferChange, type StoredOffer } from '../db/offers.ts';
import { isHere } from '../domain/party.ts';
import { afterAct, wakeLists, writeOffers } from './change-offer.ts';
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
 * One statement books times of offers that nothing has changed since they were looked at; the others are booked with their
 * offers locked. Bookings that come while one of either is in flight go together in the next.
 */
export function createBook({ clock, commit, outbox }: HostParts<'outbox'>, copies: Context['copies']): Book {
  // One that Postgres refuses must not keep back the others.
  const common = { ...batched, splitOnError: true } as const;
  const asSeen = createCoalescer<Booking & { event: OutboxRow }, boolean>({
    ...common,
    name: 'batch of bookings',
    async run(batch) {
      const { booked, changes } = taken(new Map(batch.map(({ offer }) => [offer.id, offer])), batch);
      if (booked.size === 0) return batch.map(() => false);
      return await commit.statement(async (tx) => {
        const written = await bookTimes(tx, changes, [...booked]);
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
    const ids = new Set(batch.map(({ offer }) => offer.id));
    const offers = new Map((await lockOffers(tx, [...ids])).map((offer) => [offer.id, offer]));
    const { booked, changes, refusals } = taken(offers, batch);
    if (booked.size === 0) return refusals;
    await writeOffers(tx, copies, changes);
    await insertMeetings(
      tx,
      [...booked].map(({ row }) => row),
    );
    tx.announce(...[...booked].flatMap(({ row, told }) => [told, ...meetingDue(copies, row)]));
    return refusals;
  }

  /** The offers once these bookings, one after the other, have taken their times. */
  function taken<One extends Booking>(before: ReadonlyMap<string, StoredOffer>, batch: readonly One[]) {
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
    const booked = new Set(batch.filter((_, index) => refusals[index] === undefined));
    const changed = new Set([...booked].map(({ row }) => row.offer));
    const changes = [...changed].map((id): OfferChange => ({ before: before.get(id)!, after: now.get(id)! }));
    return { booked, changes, refusals };
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
