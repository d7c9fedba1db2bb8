const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Backoff after each failure of a wake-up; after one more failure it is given up. */
const backoff = [5 * second, 30 * second, 2 * minute, 8 * minute];

/** Statuses that are not retried: gone, and too large. */
const finalStatuses = new Set([410, 413]);

const slotMs = 5 * minute;
const slots = hour / slotMs;
const fewestAttempts = 100;
const mostFailing = 0.95;
const mostAbandonedInRow = 20;

/**
 * Once a wake-up was given up, the address is probed with `gap`: first after this delay, then twice as long,
 * and so on.
 */
const firstProbeMs = 10 * minute;
const longestProbeMs = hour;

/** [number of the five-minute slot, attempts, failures] */
export type Slot = readonly [slot: number, attempts: number, failures: number];

/** The health of a subscription. */
export interface SubscriptionState {
  suspendedAt: Date | null;
  /** Time of the first failure since the last success. */
  failedSince: Date | null;
  lastDeliveryAt: Date | null;
  lastError: string | null;
  /** Wake-ups given up since the last success. */
  abandonedInRow: number;
  /** Attempts of the last hour, by slot. */
  recent: readonly Slot[];
  /** The position before the first given-up wake-up that no `gap` has reported; null if there is none. */
  gapFrom: number | null;
}

export const freshState: SubscriptionState = {
  suspendedAt: null,
  failedSince: null,
  lastDeliveryAt: null,
  lastError: null,
  abandonedInRow: 0,
  recent: [],
  gapFrom: null,
};

export type Message = 'wake_up' | 'gap' | 'terminated';

/** An attempt at a message. */
export interface Attempted {
  message: Message;
  /** The wake-up's number in the stream. */
  number: number;
  /** Attempts before this one. */
  attempts: number;
  at: Date;
  /** Null if it was delivered. */
  error: string | null;
  status: number | null;
}

/** The state of a message after an attempt. */
export type Fate =
  | { status: 'delivered' }
  | { status: 'given_up' }
  /** Null: until the subscription is resumed. */
  | { status: 'waiting'; dueAt: Date | null };

export interface Step {
  state: SubscriptionState;
  fate: Fate;
  /** Time to send `gap`, whether it already waits or not; undefined if unchanged. */
  gapDueAt?: Date;
  /** Gives up everything that waits, except `gap`, which waits until the subscription is resumed. */
  suspends: boolean;
}

/** Returns the state after an attempt. */
export function attempted(before: SubscriptionState, attempt: Attempted): Step {
  const recent = counted(before.recent, attempt);
  return attempt.error === null
    ? taken({ ...before, recent }, attempt)
    : failed({ ...before, recent }, attempt, attempt.error);
}

function taken(before: SubscriptionState, { message, at }: Attempted): Step {
  const state = {
    ...before,
    failedSince: null,
    lastDeliveryAt: at,
    lastError: null,
    abandonedInRow: 0,
    gapFrom: message === 'gap' ? null : before.gapFrom,
  };
  // The address answers again, so a gap can be reported.
  const reports = message === 'wake_up' && state.gapFrom !== null && state.suspendedAt === null;
  return { state, fate: { status: 'delivered' }, suspends: false, ...(reports && { gapDueAt: at }) };
}

function failed(before: SubscriptionState, attempt: Attempted, error: string): Step {
  const { at, message, number } = attempt;
  const failing = { ...before, failedSince: before.failedSince ?? at, lastError: error };
  const wait = backoffAfter(attempt);
  const abandons = message === 'wake_up' && wait === null;
  const state = abandons
    ? {
        ...failing,
        abandonedInRow: failing.abandonedInRow + 1,
        gapFrom: Math.min(failing.gapFrom ?? number - 1, number - 1),
      }
    : failing;
  if (message !== 'terminated' && (before.suspendedAt !== null || suspends(state)))
    return suspended(state, attempt);
  return {
    state,
    fate:
      wait === null ? { status: 'given_up' } : { status: 'waiting', dueAt: new Date(at.getTime() + wait) },
    suspends: false,
    ...(abandons && before.gapFrom === null && { gapDueAt: new Date(at.getTime() + firstProbeMs) }),
  };
}

/** A failed message is treated like the waiting ones: a wake-up is given up, a `gap` waits. */
function suspended(state: SubscriptionState, { at, message, number }: Attempted): Step {
  const gapFrom = message === 'wake_up' ? Math.min(state.gapFrom ?? number - 1, number - 1) : state.gapFrom;
  return {
    state: { ...state, gapFrom, suspendedAt: state.suspendedAt ?? at },
    fate: message === 'gap' ? { status: 'waiting', dueAt: null } : { status: 'given_up' },
    suspends: state.suspendedAt === null,
  };
}

/** Returns the delay until the next attempt in ms; null if there is none. */
function backoffAfter({ message, attempts, status }: Attempted): number | null {
  if (message === 'gap') return Math.min(firstProbeMs * 2 ** Math.min(attempts, 10), longestProbeMs);
  if (status !== null && finalStatuses.has(status)) return null;
  return backoff[attempts] ?? null;
}

function suspends({ abandonedInRow, recent }: SubscriptionState): boolean {
  if (abandonedInRow >= mostAbandonedInRow) return true;
  const attempts = recent.reduce((sum, [, count]) => sum + count, 0);
  const failures = recent.reduce((sum, [, , count]) => sum + count, 0);
  return attempts >= fewestAttempts && failures > attempts * mostFailing;
}

/** Keeps only slots of the last hour, and drops slots in the future of a clock that was set back. */
function counted(recent: readonly Slot[], { at, error }: Attempted): Slot[] {
  const now = Math.floor(at.getTime() / slotMs);
  const failure = error === null ? 0 : 1;
  const kept = recent.filter(([slot]) => slot > now - slots && slot <= now);
  const [, attempts, failures] = kept.find(([slot]) => slot === now) ?? [now, 0, 0];
  return [...kept.filter(([slot]) => slot !== now), [now, attempts + 1, failures + failure]];
}

/**
 * Returns the state after the AI renews: a suspended subscription resumes, with an immediate `gap` if it
 * missed anything.
 */
export function renewed(before: SubscriptionState, now: Date): { state: SubscriptionState; gapDueAt?: Date } {
  if (before.suspendedAt === null) return { state: before };
  const state = { ...before, suspendedAt: null, abandonedInRow: 0, recent: [] };
  return { state, ...(state.gapFrom !== null && { gapDueAt: now }) };
}
