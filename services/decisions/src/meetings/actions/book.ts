import { createCoalescer } from '@hearth/coalesce';
import type { Claim } from '@hearth/idempotency';
import type { Announcement, OutboxRow, UnitOfWork } from '@hearth/outbox';
import type { HostParts } from '@hearth/runtime';
import { ChangedHands, changedHands } from '../../shared/actions/as-owner.ts';
import { batched } from '../../shared/actions/create-things.ts';
import { lockOwners } from '../../shared/db/hands.ts';
import type { Context } from '../context.ts';
import { bookTimes } from '../db/book-times.ts';
import { insertMeetings, type MeetingRow } from '../db/meetings.ts';
import { toMet } from '../db/met.ts';
import type { OfferChange, StoredOffer } from '../db/offers.ts';
import { isHere, ownedOf, type Party } from '../domain/party.ts';
import { afterAct, wakeLists } from './change-offer.ts';
import { lockTimes, refusalOf } from './host-times.ts';
import { goesAway, meetingDue } from './tell-homes.ts';

export interface Booking {
  row: MeetingRow;
  /** The caller, who may book as their person or as an AI of theirs. */
  by: Party;
  /** The offer as read. */
  offer: StoredOffer;
  /** Start of the booked time. */
  slot: number;
  told: Announcement;
}

/**
 * Books a time and announces the meeting; if several parties book it at once, the first one gets it.
 *
 * @param claim the request_id's claim; null without a request_id
 * @throws not_found, bad_request (slot_taken, not_waiting); ChangedHands if an AI on either side has changed
 * hands since it was looked up
 */
export type Book = (booking: Booking, claim: Claim<{ id: string }> | null) => Promise<void>;

/**
 * Fast path: a single statement books times of offers unchanged since they were read, if neither side has
 * another offer ahead and the guest hosts no meeting ahead, and the owner of an AI that books is known and the
 * same. Everything else is booked with both sides' times locked. On either path, bookings that arrive while a
 * statement is in flight share the next.
 */
export function createBook(host: HostParts<'outbox'>, copies: Context['copies']): Book {
  const { clock, commit, outbox } = host;
  const parts = { clock, copies };
  // A booking that Postgres rejects must not fail the rest of the batch.
  const common = { ...batched, splitOnError: true } as const;
  const asSeen = createCoalescer<Booking & { event: OutboxRow }, boolean>({
    ...common,
    name: 'batch of bookings',
    async run(batch) {
      const { booked, changes } = taken(batch);
      if (booked.size === 0) return batch.map(() => false);
      return await commit.statement(async (tx) => {
        const meetings = [...booked].map((one) => ({
          ...one,
          bookers: bookersOf(one).map((booker) => ({ ...booker, meeting: one.row.id })),
        }));
        const written = await bookTimes(tx, changes, meetings, new Date(clock.now()));
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

  /** Each booking's refusal; undefined if it succeeded. */
  async function take(tx: UnitOfWork, batch: readonly Booking[]): Promise<(Error | undefined)[]> {
    const owners = await lockOwners(tx, batch.flatMap(bookersOf));
    const times = await lockTimes(parts, tx, {
      viewers: batch.flatMap(({ offer, row }) => [offer.host_viewer, row.guest_viewer]),
      offers: batch.map(({ offer }) => offer.id),
    });
    const refusals = batch.map(({ row, slot, by }) => {
      const changed = changedHands(owners, bookersOf({ row, by }), by.id);
      if (changed !== undefined) return changed;
      const host = times.offer(row.offer)?.host_viewer ?? row.host_viewer;
      return host === row.host_viewer ? refusalOf(() => times.book(toMet(row), slot)) : new ChangedHands();
    });
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

  /** The offers after these bookings took their times in order. */
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

  /** Other homes must be told, which the fast path doesn't do. */
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

/** The local AIs that book: the caller, and the guest if that is another AI of the same owner. */
const bookersOf = ({ row, by }: Pick<Booking, 'row' | 'by'>) =>
  [by, ...(row.guest.id === by.id ? [] : [row.guest])].flatMap(ownedOf);
