import { asHearthError, type HearthError, notFound } from '@hearth/errors';
import type { UnitOfWork } from '@hearth/outbox';
import type { Context } from '../context.ts';
import { findMet, lockHosts, type Met } from '../db/met.ts';
import { findLive, lockOffers, type OfferRow, type StoredOffer } from '../db/offers.ts';
import { heldBy, nextOffer, type OfferAct, overlaps, type Period, slotTaken } from '../domain/offer.ts';
import { afterAct, writeOffers } from './change-offer.ts';

type Deps = Pick<Context, 'clock'> & { copies: Pick<Context['copies'], 'offers'> };

/**
 * Some viewers' offers and meetings, locked for the transaction. Guarantees that a party that offers times
 * has one booking at a time, across its offers and its own bookings. Lock these before the rows of meetings
 * and offers.
 */
export interface HostTimes {
  /** The offer after the changes so far; undefined if it doesn't exist. */
  offer(id: string): StoredOffer | undefined;
  /** @throws not_found, and as `nextOffer` */
  act(id: string, act: OfferAct): void;
  /** Takes an offer's time for a meeting. @throws not_found, bad_request (slot_taken, not_waiting) */
  book(meeting: Met, slot: number): void;
  /** Frees a meeting's time. */
  free(meeting: Met): void;
  /** Moves a meeting to another time. @throws bad_request (slot_taken) */
  move(meeting: Met): void;
  /** A new offer, with the times closed that overlap meetings. */
  fitted(row: OfferRow): OfferRow;
  write(): Promise<void>;
}

export interface Wanted {
  /** uuids of the viewers whose times to lock. */
  viewers: readonly string[];
  /** uuids of further offers to lock, in any status. */
  offers?: readonly string[];
  /** Periods to check beside the offers' times. */
  periods?: readonly Period[];
}

export async function lockTimes(
  { clock, copies }: Deps,
  tx: UnitOfWork,
  { viewers, offers = [], periods = [] }: Wanted,
): Promise<HostTimes> {
  await lockHosts(tx, viewers);
  const at = clock.now();
  const live = await findLive(tx, viewers, new Date(at));
  const before = new Map(
    (await lockOffers(tx, [...new Set([...live, ...offers])])).map((row) => [row.id, row]),
  );
  const slots = [...before.values()].flatMap((row): readonly Period[] => row.slots);
  // After the locks, so that concurrent bookings aren't missed.
  let met = await findMet(tx, viewers, [...slots, ...periods]);
  const now = new Map(before);
  follow();

  /** Closes each offer's times that overlap its host's meetings and holds in other offers. */
  function follow(): void {
    for (const row of before.values()) now.set(row.id, followed(now.get(row.id)!));
  }

  function followed<Row extends OfferRow>(row: Row): Row {
    const busy = met.filter((one) => isOf(one, row.host_viewer)).map(toBusy);
    const held = [...now.values()].filter(
      ({ id, host_viewer }) => id !== row.id && host_viewer === row.host_viewer,
    );
    const holds = held.flatMap((other) =>
      other.holds.flatMap((hold) =>
        hold.ends === undefined ? { ...hold, ends: heldBy(other, hold).ends } : [],
      ),
    );
    return afterAct(row, { kind: 'follow', busy, held: holds }, at);
  }

  function act(id: string, one: OfferAct): void {
    const row = now.get(id);
    if (row === undefined) throw notFound();
    now.set(id, afterAct(row, one, at));
    follow();
  }

  /** @throws bad_request (slot_taken) if the meeting overlaps another one of its host, or one that its guest hosts */
  function requireApart(meeting: Met, isClash: (other: Met) => boolean): void {
    const clash = met.some((other) => other.id !== meeting.id && overlaps(other, meeting) && isClash(other));
    if (!clash) return;
    const offer = now.get(meeting.offer);
    throw offer === undefined ? notFound() : slotTaken(closedFor(offer, meeting.guest), meeting.guest, at);
  }

  /** The offer as seen by a viewer with own hosted meetings: those close its times too. */
  function closedFor(offer: StoredOffer, viewer: string): StoredOffer {
    const hosted = met.filter(({ host }) => host === viewer).map(toBusy);
    return hosted.length === 0 ? offer : { ...offer, busy: [...offer.busy, ...hosted] };
  }

  return {
    offer: (id) => now.get(id),
    act,
    book(meeting, slot) {
      const { id, guest, offer } = meeting;
      const row = now.get(offer);
      if (row === undefined) throw notFound();
      nextOffer(closedFor(row, guest), { kind: 'book', booker: guest, slot, meeting: id }, at);
      met = [...met, meeting];
      act(offer, { kind: 'book', booker: guest, slot, meeting: id });
    },
    free({ id, offer }) {
      met = met.filter((one) => one.id !== id);
      if (now.has(offer)) act(offer, { kind: 'free', meeting: id });
      else follow();
    },
    move(meeting) {
      const { id, offer, starts, ends } = meeting;
      requireApart(meeting, (other) => isOf(other, meeting.host) || other.host === meeting.guest);
      met = [...met.filter((one) => one.id !== id), meeting];
      if (now.has(offer)) act(offer, { kind: 'move', meeting: id, starts, ends });
      else follow();
    },
    fitted: followed,
    async write() {
      const changed = [...before.values()].filter((row) => now.get(row.id) !== row);
      if (changed.length > 0)
        await writeOffers(
          tx,
          copies,
          changed.map((row) => ({ before: row, after: now.get(row.id)! })),
        );
    },
  };
}

/** Closes times in the viewers' offers that overlap their current meetings. */
export async function followMeetings(deps: Deps, tx: UnitOfWork, viewers: readonly string[]): Promise<void> {
  const times = await lockTimes(deps, tx, { viewers });
  await times.write();
}

const isOf = ({ host, guest }: Met, viewer: string) => host === viewer || guest === viewer;
const toBusy = ({ id, starts, ends }: Met) => ({ starts, ends, meeting: id });

/** The error that `work` throws; undefined if none. */
export function refusalOf(work: () => void): HearthError | undefined {
  try {
    work();
    return undefined;
  } catch (refusal) {
    return asHearthError(refusal);
  }
}
