import type { Tx } from '@hearth/db';
import { subscriptionKind } from '../../admin-deliveries/db/destinations.ts';
import { touchDestinations } from '../../shared/db/destinations.ts';
import { lockStates, settleSends } from '../db/subscription-sends.ts';
import { renewed } from '../domain/subscription-state.ts';

/**
 * Uses the address of a subscription again, which is told at once that it missed something. False when it is not
 * suspended (any more). Kick the engine afterwards.
 *
 * @param eventId uuid by which the message that tells so is known, when there is none yet
 */
export async function resumeSubscription(
  tx: Tx,
  subscription: string,
  { now, eventId }: { now: Date; eventId: string },
): Promise<boolean> {
  const before = (await lockStates(tx, [subscription])).get(subscription);
  if (before === undefined || before.suspendedAt === null) return false;
  const { state, gapDueAt } = renewed(before, now);
  const gap = { subscription, eventId, from: state.gapFrom ?? 0, attempts: 0, error: state.lastError };
  await settleSends(tx, {
    now,
    sends: [],
    gaps: gapDueAt === undefined ? [] : [{ ...gap, status: 1, dueAt: gapDueAt }],
    states: [{ subscription, ...state }],
    suspending: [],
  });
  await touchDestinations(tx, subscriptionKind, [subscription], now);
  return true;
}
