import { badField, badRequest, type HearthError } from '@hearth/errors';
import { refusalsOf } from '../../shared/domain/refusals.ts';

export const { notWaiting } = refusalsOf('offer');

export type OfferStatus = 'open' | 'taken' | 'withdrawn' | 'expired';

/** Milliseconds since 1970. */
export interface Period {
  starts: number;
  ends: number;
}

/** A time that is offered. */
export interface Slot extends Period {
  /** uuid of the meeting that takes it. */
  meeting: string | null;
}

/** When a meeting of who offers is: of this offer, be it at a time that was offered or moved to another, or any other. */
export interface Busy extends Period {
  /** uuid */
  meeting: string;
}

export interface Hold {
  /** uuid of the viewer who holds it. */
  holder: string;
  /** The start of the time. */
  slot: number;
  until: number;
  /** The end of a time of another offer by the same party, which need not be one of this offer. */
  ends?: number;
}

/** The columns of an offer of times that its course goes by. */
export interface Offer {
  status: OfferStatus;
  /** The earliest first. */
  slots: readonly Slot[];
  holds: readonly Hold[];
  /** They close the times that they overlap; another offer's meetings are here where they do. An offer of another home has none: its home says which times are free. */
  busy: readonly Busy[];
  /** How many meetings it has room for, and how many it has. */
  times: number;
  booked: number;
  expires_at: Date;
}

export type OfferAct =
  | { kind: 'hold'; holder: string; slot: number; until: number }
  | { kind: 'book'; booker: string; slot: number; meeting: string }
  /** A meeting of the offer moves: its time is free, and the time of the same start is taken where there is one. */
  | ({ kind: 'move' } & Busy)
  /** A meeting of the offer is off. */
  | { kind: 'free'; meeting: string }
  | { kind: 'withdraw' }
  /** Follows what else happens to the host: all their meetings that close times of this offer, and what is held in other offers. */
  | { kind: 'follow'; busy: readonly Busy[]; held: readonly Hold[] }
  /** Time passed. */
  | { kind: 'pass' };

const mostFree = 10;

/**
 * The offer after an act; the same object where the act changes nothing.
 *
 * @throws bad_request (not_waiting, slot_taken with the free times), bad_field for a time that is not offered
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
      // Other meetings may close its times for now.
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

/** Nothing follows it. */
export function isOver({ status }: Pick<Offer, 'status'>): boolean {
  return status === 'withdrawn' || status === 'expired';
}

/** When time alone changes it next; null: never. */
export function dueAt(offer: Offer): Date | null {
  return offer.status === 'open' ? new Date(endsAt(offer)) : null;
}

/** Long ago where there is none. */
export function lastStart(slots: readonly Pick<Slot, 'starts'>[]): number {
  return Math.max(0, ...slots.map(({ starts }) => starts));
}

/** When the last time that no meeting is at begins, or its own end before that; long ago without such a time. */
function endsAt(offer: Offer): number {
  return Math.min(offer.expires_at.getTime(), lastStart(offer.slots.filter((slot) => !isTaken(offer, slot))));
}

/** Whether that viewer could book it now, as far as the time itself goes. */
export function isFree(offer: Offer, slot: Slot, viewer: string, at: number): boolean {
  if (offer.status !== 'open' || isTaken(offer, slot) || slot.starts <= at) return false;
  return !offer.holds.some(
    (hold) => hold.holder !== viewer && hold.until > at && overlaps(heldBy(offer, hold), slot),
  );
}

/** Whether a meeting is at that time, or at one that overlaps it. */
function isTaken({ busy }: Offer, slot: Slot): boolean {
  return slot.meeting !== null || busy.some((one) => overlaps(one, slot));
}

/** The time that is held. */
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

/** The offer as it stands at a moment: what is over goes, and what is booked up or has room again says so. */
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

/** @throws bad_field for a time that is not offered */
export function slotAt({ slots }: Pick<Offer, 'slots'>, starts: number): Slot {
  const slot = slots.find((one) => one.starts === starts);
  if (slot === undefined) throw badField('slot', 'must be the start of one of the times of the offer');
  return slot;
}

/** @throws bad_request (not_waiting, slot_taken), bad_field */
export function requireFree(offer: Offer, starts: number, viewer: string, at: number): Slot {
  const slot = slotAt(offer, starts);
  // The one who lost the last time is told that it is taken.
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
