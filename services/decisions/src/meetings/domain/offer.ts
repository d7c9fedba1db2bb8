import { badField, badRequest, type HearthError } from '@hearth/errors';

export type OfferStatus = 'open' | 'taken' | 'withdrawn' | 'expired';

/** A time that is offered. Moments are milliseconds since 1970. */
export interface Slot {
  starts: number;
  ends: number;
  /** uuid of the meeting that takes it. */
  meeting: string | null;
}

export interface Hold {
  /** uuid of the viewer who holds it. */
  holder: string;
  /** The start of the time. */
  slot: number;
  until: number;
}

/** An offer of times, without its words. */
export interface Offer {
  status: OfferStatus;
  /** The earliest first. */
  slots: readonly Slot[];
  holds: readonly Hold[];
  /** How many meetings it has room for, and how many it has. */
  times: number;
  booked: number;
  expires: number;
}

export type OfferAct =
  | { kind: 'hold'; holder: string; slot: number; until: number }
  | { kind: 'book'; booker: string; slot: number; meeting: string }
  /** A meeting of the offer moves: its time is free, and the time of the same start is taken where there is one. */
  | { kind: 'move'; meeting: string; slot: number }
  /** A meeting of the offer is off. */
  | { kind: 'free'; meeting: string }
  | { kind: 'withdraw' }
  /** Time passed. */
  | { kind: 'pass' };

const mostFree = 10;

/**
 * The offer after an act; the same object where the act changes nothing.
 *
 * @throws bad_request (not_waiting, slot_taken with the free times), bad_field for a time that is not offered
 */
export function nextOffer(offer: Offer, act: OfferAct, at: number): Offer {
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
    case 'book':
      requireFree(now, act.slot, act.booker, at);
      return settled(
        {
          ...now,
          booked: now.booked + 1,
          slots: taking(now.slots, act.slot, act.meeting),
          holds: now.holds.filter(({ holder, slot }) => holder !== act.booker && slot !== act.slot),
        },
        at,
      );
    case 'move': {
      const other = now.slots.find(({ starts }) => starts === act.slot);
      if (other?.meeting !== null && other !== undefined && other.meeting !== act.meeting)
        throw slotTaken(now, '', at);
      return {
        ...now,
        slots: taking(freed(now.slots, act.meeting), act.slot, act.meeting),
        holds: now.holds.filter(({ slot }) => slot !== act.slot),
      };
    }
    case 'free':
      return settled({ ...now, booked: now.booked - 1, slots: freed(now.slots, act.meeting) }, at);
    case 'withdraw':
      if (now.status === 'withdrawn') return now;
      requireOpen(now);
      return { ...now, status: 'withdrawn', holds: [] };
    case 'pass':
      return now;
  }
}

/** When time alone changes it next; null: never. */
export function dueAt({ status, expires, slots }: Offer): number | null {
  return status === 'open' ? Math.min(expires, lastStart(slots)) : null;
}

export function lastStart(slots: readonly Pick<Slot, 'starts'>[]): number {
  return Math.max(...slots.map(({ starts }) => starts));
}

/** Whether that viewer could book it now, as far as the time itself goes. */
export function isFree({ holds, status }: Offer, slot: Slot, viewer: string, at: number): boolean {
  if (status !== 'open' || slot.meeting !== null || slot.starts <= at) return false;
  return !holds.some((hold) => hold.slot === slot.starts && hold.holder !== viewer && hold.until > at);
}

/** The offer as it stands at a moment: what is over goes, and what is booked up or has room again says so. */
function settled(offer: Offer, at: number): Offer {
  const { status, times, booked, expires, slots, holds } = offer;
  const left = holds.filter(({ until }) => until > at);
  const over = expires <= at || lastStart(slots) <= at;
  const now =
    status === 'withdrawn' || status === 'expired'
      ? status
      : booked >= times
        ? 'taken'
        : over
          ? 'expired'
          : 'open';
  if (now === status && left.length === holds.length) return offer;
  return { ...offer, status: now, holds: left };
}

function taking(slots: readonly Slot[], starts: number, meeting: string): Slot[] {
  return slots.map((slot) => (slot.starts === starts ? { ...slot, meeting } : slot));
}

function freed(slots: readonly Slot[], meeting: string): Slot[] {
  return slots.map((slot) => (slot.meeting === meeting ? { ...slot, meeting: null } : slot));
}

/** @throws bad_request (not_waiting, slot_taken), bad_field */
export function requireFree(offer: Offer, starts: number, viewer: string, at: number): void {
  const slot = offer.slots.find((one) => one.starts === starts);
  if (slot === undefined) throw notOffered();
  // The one who lost the last time is told that it is taken.
  if (slot.meeting !== null) throw slotTaken(offer, viewer, at);
  requireOpen(offer);
  if (starts <= at) throw notWaiting('that time has begun');
  if (!isFree(offer, slot, viewer, at)) throw slotTaken(offer, viewer, at);
}

function requireOpen({ status }: Offer): void {
  if (status !== 'open') throw notWaiting(`the offer is ${status}`);
}

export function notOffered(): HearthError {
  return badField('slot', 'must be the start of one of the times of the offer');
}

function slotTaken(offer: Offer, viewer: string, at: number): HearthError {
  const free = offer.slots.filter((slot) => isFree(offer, slot, viewer, at)).slice(0, mostFree);
  const words = free.length === 0 ? 'and no other of this offer is free' : 'take one of those that are free';
  return badRequest(`that time is taken or held by another; ${words}`, {
    code: 'slot_taken',
    field: 'slot',
    free: free.map(({ starts }) => new Date(starts).toISOString()),
  });
}

/** @param words what it is that keeps it from being booked */
export function notWaiting(words: string): HearthError {
  return badRequest(`this is not what the offer waits for: ${words}`, { code: 'not_waiting' });
}
