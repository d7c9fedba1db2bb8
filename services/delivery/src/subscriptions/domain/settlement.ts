import type { Outcome, Send } from '../../shared/domain/outbound.ts';
import type { DueSend, GapRow, SettledSend, Settlement } from '../db/subscription-sends.ts';
import { attempted, type Message, type SubscriptionState } from './subscription-state.ts';

/** A wake-up, or a message about its subscription, to be sent. */
export interface WakeUpSend extends Send {
  row: DueSend;
}

const messages: Record<1 | 2 | 3, Message> = { 1: 'wake_up', 2: 'gap', 3: 'terminated' };
const statuses = { waiting: 1, delivered: 2, given_up: 3 } as const;

/**
 * Applies the outcomes of attempts, in order: for each subscription one row with its health, and at most one
 * for its `gap`. Outcomes of deleted subscriptions are left out.
 */
export function settlementOf(
  now: Date,
  states: ReadonlyMap<string, SubscriptionState>,
  outcomes: readonly Outcome<WakeUpSend>[],
  newId: () => string,
): Settlement {
  const after = new Map(states);
  const sends = new Map<string, SettledSend>();
  const gaps = new Map<string, GapRow>();
  const suspending = new Set<string>();

  for (const { send, at, error, status } of outcomes) {
    const { destination: subscription, row } = send;
    const before = after.get(subscription);
    if (before === undefined) continue;
    const message = messages[row.kind];
    const { number, attempts } = row;
    const step = attempted(before, { message, number, attempts, at, error, status });
    const { fate, state, gapDueAt } = step;
    after.set(subscription, state);
    const dueAt = fate.status === 'waiting' ? fate.dueAt : null;
    const setGap = (
      gap: Pick<GapRow, 'status' | 'dueAt'>,
      made: { attempts: number; error: string | null },
    ) =>
      gaps.set(subscription, {
        subscription,
        eventId: newId(),
        from: state.gapFrom ?? before.gapFrom ?? 0,
        ...gap,
        attempts: (gaps.get(subscription)?.attempts ?? 0) + made.attempts,
        error: made.error,
      });
    if (row.kind !== 2)
      sends.set(send.id + subscription, {
        subscription,
        kind: row.kind,
        number,
        status: statuses[fate.status],
        dueAt,
        error,
      });
    else if (fate.status !== 'given_up')
      setGap({ status: statuses[fate.status], dueAt }, { attempts: 1, error });
    if (step.suspends) {
      suspending.add(subscription);
      setGap({ status: 1, dueAt: null }, { attempts: 0, error });
    } else if (gapDueAt !== undefined) setGap({ status: 1, dueAt: gapDueAt }, { attempts: 0, error });
  }

  return {
    now,
    sends: [...sends.values()],
    gaps: [...gaps.values()],
    states: [...after].map(([subscription, state]) => ({ subscription, ...state })),
    suspending: [...suspending],
  };
}
