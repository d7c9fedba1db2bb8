import type { Tx } from '@hearth/db';
import { eventErrorCodes } from '@hearth/webhooks';
import type { Ending, RecordedWakeUp } from '../../shared/domain/streams.ts';
import { type EndedSubscriptions, endSubscriptionsOf, queueWakeUps } from '../db/queue-wake-ups.ts';

/**
 * Queues wake-ups for the subscriptions that match and touches their destinations. Must run in the transaction that
 * recorded them, as a statement of its own AFTER the one that locked the streams' rows and numbered them: Subscribe
 * locks the same row, so that a new subscription is either seen here or finds them in the stream. A wake-up that is
 * queued already stays as it is.
 *
 * @returns the destinations to poke after the commit (uuids), none when no AI subscribes
 */
export async function fanOut(tx: Tx, now: Date, wakeUps: readonly RecordedWakeUp[]): Promise<string[]> {
  const fitting = wakeUps.filter(({ data }) => JSON.stringify(data).length <= mostDataCharacters);
  return fitting.length === 0 ? [] : await queueWakeUps(tx, now, fitting);
}

/** A delivery has at most 256 KiB, in UTF-8 and with what is around the data; what is larger can be polled. */
const mostDataCharacters = 80_000;

/**
 * Ends the subscriptions of these AIs and queues one `terminated` for each; nothing else is sent any more. For the
 * transaction that notes that an AI was switched off or has another owner. Ended ones stay as they are.
 *
 * @returns the destinations to poke after the commit (uuids)
 */
export async function terminate(tx: Tx, now: Date, ais: readonly string[], why: Ending): Promise<string[]> {
  if (ais.length === 0) return [];
  return await endSubscriptionsOf(tx, now, { ais }, errorOf(why));
}

/** The same for those that were made through an access which has ended. */
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
