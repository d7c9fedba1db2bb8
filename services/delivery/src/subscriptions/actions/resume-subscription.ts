import type { Tx } from '@hearth/db';
import { destinationKinds, touchDestinations } from '../../shared/db/destinations.ts';
import { lockStates, settleSends } from '../db/subscription-sends.ts';
import { renewed } from '../domain/subscription-state.ts';

/**
 * Resumes a suspended subscription, with an immediate `gap` if it missed anything. False if it is not
 * suspended. Poke the engine afterwards.
 *
 * @param eventId uuid for the `gap`, if there is none yet
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
  await touchDestinations(tx, destinationKinds.subscription, [subscription], now);
  return true;
}
