const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The backoff after the first failures; one failure more, and the wake-up is given up. */
const backoff = [5 * second, 30 * second, 2 * minute, 8 * minute];

/** Answers after which an address is not tried a second time: gone, and too large. */
const finalStatuses = new Set([410, 413]);

const slotMs = 5 * minute;
const slots = hour / slotMs;
const fewestAttempts = 100;
const mostFailing = 0.95;
const mostAbandonedInRow = 20;

/** After a wake-up was given up, the address is tried with `gap` alone: after so long, twice as long, ... */
const firstProbeMs = 10 * minute;
const longestProbeMs = hour;

/** [number of the slot of five minutes, attempts, failures] */
export type Slot = readonly [slot: number, attempts: number, failures: number];

/** The health of a subscription. */
export interface SubscriptionState {
  suspendedAt: Date | null;
  /** The first failure since the last success. */
  failedSince: Date | null;
  lastDeliveryAt: Date | null;
  lastError: string | null;
  /** Wake-ups given up since the last success. */
  abandonedInRow: number;
  /** The attempts of the last hour. */
  recent: readonly Slot[];
  /** The place before the first wake-up that was given up and that no `gap` reported; null: none. */
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

/** One attempt at one message. */
export interface Attempted {
  message: Message;
  /** A wake-up's place. */
  number: number;
  /** Attempts made before. */
  attempts: number;
  at: Date;
  /** Null: it was taken. */
  error: string | null;
  status: number | null;
}

/** The message after an attempt. */
export type Fate =
  | { status: 'delivered' }
  | { status: 'given_up' }
  /** Null: when the address is used again. */
  | { status: 'waiting'; dueAt: Date | null };

export interface Step {
  state: SubscriptionState;
  fate: Fate;
  /** `gap` is to be sent then, whether it waited already or not; undefined: nothing changes. */
  gapDueAt?: Date;
  /** All that waits is given up, but for `gap`, which waits until the address is used again. */
  suspends: boolean;
}

/** The step that follows an attempt. */
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
  // The address answers again: now a gap can be reported.
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

/** A failed message goes with those that wait: a wake-up is given up, the others wait. */
function suspended(state: SubscriptionState, { at, message, number }: Attempted): Step {
  const gapFrom = message === 'wake_up' ? Math.min(state.gapFrom ?? number - 1, number - 1) : state.gapFrom;
  return {
    state: { ...state, gapFrom, suspendedAt: state.suspendedAt ?? at },
    fate: message === 'gap' ? { status: 'waiting', dueAt: null } : { status: 'given_up' },
    suspends: state.suspendedAt === null,
  };
}

/** How long until the next try; null: there is none. */
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

/** Slots of the last hour alone; those ahead of a clock that was set back count no longer. */
function counted(recent: readonly Slot[], { at, error }: Attempted): Slot[] {
  const now = Math.floor(at.getTime() / slotMs);
  const failure = error === null ? 0 : 1;
  const kept = recent.filter(([slot]) => slot > now - slots && slot <= now);
  const [, attempts, failures] = kept.find(([slot]) => slot === now) ?? [now, 0, 0];
  return [...kept.filter(([slot]) => slot !== now), [now, attempts + 1, failures + failure]];
}

/** The AI says that the address is there: a suspended subscription goes on, with a `gap` at once for what it missed. */
export function renewed(before: SubscriptionState, now: Date): { state: SubscriptionState; gapDueAt?: Date } {
  if (before.suspendedAt === null) return { state: before };
  const state = { ...before, suspendedAt: null, abandonedInRow: 0, recent: [] };
  return { state, ...(state.gapFrom !== null && { gapDueAt: now }) };
}
