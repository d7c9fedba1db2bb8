import { badField, badRequest, type HearthError } from '@hearth/errors';
import { refusalsOf } from '../../shared/domain/refusals.ts';

export const { notWaiting } = refusalsOf('offer');

export type OfferStatus = 'open' | 'taken' | 'withdrawn' | 'expired';

/** Milliseconds since 1970. */
export interface Period {
  starts: number;
  ends: number;
}

/** An offered time. */
export interface Slot extends Period {
  /** uuid of the meeting that takes it; null if none does. */
  meeting: string | null;
}

/** The time of a meeting of the host: of this offer, even if moved to another time, or any other. */
export interface Busy extends Period {
  /** uuid */
  meeting: string;
}

export interface Hold {
  /** uuid of the viewer who holds it. */
  holder: string;
  /** Start of the held time. */
  slot: number;
  until: number;
  /** End of a time held in another offer of the same host; that time may not exist in this offer. */
  ends?: number;
}

/** The columns that the state machine uses. */
export interface Offer {
  status: OfferStatus;
  /** Earliest first. */
  slots: readonly Slot[];
  holds: readonly Hold[];
  /**
   * Meetings that close overlapping times, including other offers' meetings. Empty for a remote offer: its home reports
   * which times are free.
   */
  busy: readonly Busy[];
  /** The number of meetings it has room for, and of those booked. */
  times: number;
  booked: number;
  expires_at: Date;
}

export type OfferAct =
  | { kind: 'hold'; holder: string; slot: number; until: number }
  | { kind: 'book'; booker: string; slot: number; meeting: string }
  /** A meeting of the offer moves: its old time is freed, and the offered time with the new start, if any, is taken. */
  | ({ kind: 'move' } & Busy)
  /** A meeting of the offer was cancelled. */
  | { kind: 'free'; meeting: string }
  | { kind: 'withdraw' }
  /** Applies the host's other meetings and holds that overlap this offer's times. */
  | { kind: 'follow'; busy: readonly Busy[]; held: readonly Hold[] }
  /** Time passed. */
  | { kind: 'pass' };

const mostFree = 10;

/**
 * The offer after an act; the same object if nothing changes.
 *
 * @throws bad_request (not_waiting, slot_taken with the free times), bad_field for a time that isn't offered
 */
export function nextOffer<Row extends Offer>(offer: Row, act: OfferAct, at: number): Row {
  const now = settled(offer, at);
  switch (act.kind) {
    case 'hold':
      requireFree(now, act.slot, act.holder, at);
      return {
        ...now,
        holds: [
          ...now.holds.filter(({ holder }) => holder !== act.holder),
          { holder: act.holder, slot: act.slot, until: act.until },
        ],
      };
    case 'book': {
      const { starts, ends } = requireFree(now, act.slot, act.booker, at);
      const holds = now.holds.filter(({ holder }) => holder !== act.booker);
      const free = { ...now, booked: now.booked + 1, holds };
      return settled(taken(free, { starts, ends, meeting: act.meeting }), at);
    }
    case 'move': {
      const free = freed(now, act.meeting);
      if (free.busy.some((other) => overlaps(other, act))) throw slotTaken(now, '', at);
      return settled(taken(free, { starts: act.starts, ends: act.ends, meeting: act.meeting }), at);
    }
    case 'free':
      return settled({ ...freed(now, act.meeting), booked: now.booked - 1 }, at);
    case 'withdraw':
      if (now.status === 'withdrawn') return now;
      // A `taken` offer whose times are only closed by other meetings can still be withdrawn.
      if (now.booked >= now.times || isOver(now)) requireOpen(now);
      return { ...now, status: 'withdrawn', holds: [] };
    case 'follow': {
      const busy = act.busy.filter((one) => now.slots.some((slot) => overlaps(one, slot)));
      const held = act.held.filter((hold) => now.slots.some((slot) => overlaps(heldBy(now, hold), slot)));
      const holds = [...now.holds.filter(({ ends }) => ends === undefined), ...held].filter(
        (hold) => !busy.some((one) => overlaps(heldBy(now, hold), one)),
      );
      if (isSame(busy, now.busy) && isSame(holds, now.holds)) return now;
      return settled({ ...now, busy, holds }, at);
    }
    case 'pass':
      return now;
  }
}

/** Whether its status is final. */
export function isOver({ status }: Pick<Offer, 'status'>): boolean {
  return status === 'withdrawn' || status === 'expired';
}

/** When time alone changes the offer next; null: never. */
export function dueAt(offer: Offer): Date | null {
  return offer.status === 'open' ? new Date(endsAt(offer)) : null;
}

/** Start of the last slot; 0 without slots. */
export function lastStart(slots: readonly Pick<Slot, 'starts'>[]): number {
  return Math.max(0, ...slots.map(({ starts }) => starts));
}

/** When the offer expires: at `expires_at`, or earlier when the last free time begins; 0 if no time is free. */
function endsAt(offer: Offer): number {
  return Math.min(offer.expires_at.getTime(), lastStart(offer.slots.filter((slot) => !isTaken(offer, slot))));
}

/** Whether the viewer could book the time now, going by the time alone. */
export function isFree(offer: Offer, slot: Slot, viewer: string, at: number): boolean {
  if (offer.status !== 'open' || isTaken(offer, slot) || slot.starts <= at) return false;
  return !offer.holds.some(
    (hold) => hold.holder !== viewer && hold.until > at && overlaps(heldBy(offer, hold), slot),
  );
}

/** Whether a meeting is at this time or overlaps it. */
function isTaken({ busy }: Offer, slot: Slot): boolean {
  return slot.meeting !== null || busy.some((one) => overlaps(one, slot));
}

/** The period that a hold covers. */
export function heldBy({ slots }: Pick<Offer, 'slots'>, { slot, ends }: Hold): Period {
  if (ends !== undefined) return { starts: slot, ends };
  return slots.find(({ starts }) => starts === slot) ?? { starts: slot, ends: slot };
}

function isSame(some: readonly object[], others: readonly object[]): boolean {
  const printed = (all: readonly object[]) =>
    all.map((one) => JSON.stringify(Object.entries(one).sort())).sort();
  return some.length === others.length && String(printed(some)) === String(printed(others));
}

export function overlaps(one: Period, other: Period): boolean {
  return one.starts < other.ends && other.starts < one.ends;
}

/** The offer at a moment: expired holds removed, status recomputed. */
function settled<Row extends Offer>(offer: Row, at: number): Row {
  const { status, times, booked, slots, holds } = offer;
  const left = holds.filter(({ until }) => until > at);
  const now = isOver(offer)
    ? status
    : booked >= times || slots.every((slot) => isTaken(offer, slot))
      ? 'taken'
      : endsAt(offer) <= at
        ? 'expired'
        : 'open';
  if (now === status && left.length === holds.length) return offer;
  return { ...offer, status: now, holds: left };
}

function taken<Row extends Offer>(offer: Row, busy: Busy): Row {
  const { starts, meeting } = busy;
  return {
    ...offer,
    slots: offer.slots.map((slot) => (slot.starts === starts ? { ...slot, meeting } : slot)),
    holds: offer.holds.filter((hold) => !overlaps(heldBy(offer, hold), busy)),
    busy: [...offer.busy, busy],
  };
}

function freed<Row extends Offer>(offer: Row, meeting: string): Row {
  return {
    ...offer,
    slots: offer.slots.map((slot) => (slot.meeting === meeting ? { ...slot, meeting: null } : slot)),
    busy: offer.busy.filter((busy) => busy.meeting !== meeting),
  };
}

/** @throws bad_field if the time isn't offered */
export function slotAt({ slots }: Pick<Offer, 'slots'>, starts: number): Slot {
  const slot = slots.find((one) => one.starts === starts);
  if (slot === undefined) throw badField('slot', 'must be the start of one of the times of the offer');
  return slot;
}

/** @throws bad_request (not_waiting, slot_taken), bad_field */
export function requireFree(offer: Offer, starts: number, viewer: string, at: number): Slot {
  const slot = slotAt(offer, starts);
  // Checked first: whoever misses the last time learns that it was taken.
  if (isTaken(offer, slot)) throw slotTaken(offer, viewer, at);
  requireOpen(offer);
  if (starts <= at) throw notWaiting('that time has begun');
  if (!isFree(offer, slot, viewer, at)) throw slotTaken(offer, viewer, at);
  return slot;
}

function requireOpen({ status }: Offer): void {
  if (status !== 'open') throw notWaiting(`the offer is ${status}`);
}

export function slotTaken(offer: Offer, viewer: string, at: number): HearthError {
  const free = offer.slots.filter((slot) => isFree(offer, slot, viewer, at)).slice(0, mostFree);
  const words = free.length === 0 ? 'and no other of this offer is free' : 'take one of those that are free';
  return badRequest(`that time, or one that it overlaps, is taken or held by another; ${words}`, {
    code: 'slot_taken',
    field: 'slot',
    free: free.map(({ starts }) => new Date(starts).toISOString()),
  });
}
