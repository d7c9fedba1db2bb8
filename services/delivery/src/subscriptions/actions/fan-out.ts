import type { Tx } from '@hearth/db';
import { eventErrorCodes } from '@hearth/webhooks';
import type { Ending, RecordedWakeUp } from '../../shared/domain/streams.ts';
import { type EndedSubscriptions, endSubscriptionsOf, queueWakeUps } from '../db/queue-wake-ups.ts';

/**
 * Queues wake-ups for the subscriptions that match, and touches their destinations. Must run in the
 * transaction that recorded them, as a statement of its own AFTER the one that locked the stream rows and
 * numbered them: Subscribe locks the same row, so that a new subscription is either seen here or finds the
 * wake-ups in the stream. A queued wake-up stays unchanged.
 *
 * @returns the destinations (uuids) to poke after the commit
 */
export async function fanOut(tx: Tx, now: Date, wakeUps: readonly RecordedWakeUp[]): Promise<string[]> {
  const fitting = wakeUps.filter(({ data }) => JSON.stringify(data).length <= mostDataCharacters);
  return fitting.length === 0 ? [] : await queueWakeUps(tx, now, fitting);
}

/** A delivery has at most 256 KiB, in UTF-8 and with its envelope; larger wake-ups can be polled. */
const mostDataCharacters = 80_000;

/**
 * Ends the subscriptions of these AIs and queues a `terminated` for each; their other sends are dropped. For
 * the transaction that records an AI's revocation or change of owner. Ended subscriptions stay unchanged.
 *
 * @returns the destinations (uuids) to poke after the commit
 */
export async function terminate(tx: Tx, now: Date, ais: readonly string[], why: Ending): Promise<string[]> {
  if (ais.length === 0) return [];
  return await endSubscriptionsOf(tx, now, { ais }, errorOf(why));
}

/** `terminate` for subscriptions made through an access that has ended. */
export async function endAccess(tx: Tx, now: Date, ended: EndedSubscriptions): Promise<string[]> {
  return await endSubscriptionsOf(tx, now, ended, errorOf('access_ended'));
}

const errorOf = (why: keyof typeof texts) => ({
  code: eventErrorCodes.forbidden,
  message: texts[why],
  data: { reason: why },
});

const texts: Record<Ending | 'access_ended', string> = {
  revoked: 'this AI was switched off; nothing is sent here any more',
  changed_hands: 'this AI has another owner than when it subscribed; it can subscribe again',
  access_ended:
    'the app or program that subscribed may act for this AI no more; nothing is sent here any more',
};
