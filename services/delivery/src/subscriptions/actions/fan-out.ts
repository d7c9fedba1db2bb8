import type { Tx } from '@hearth/db';
import { eventErrorCodes } from '@hearth/webhooks';
import { endSubscriptionsOf, queueWakeUps } from '../db/queue-wake-ups.ts';

/** A wake-up that was just recorded in the stream of its AI. */
export interface RecordedWakeUp {
  /** uuid */
  ai: string;
  /** Its place in the stream. */
  number: number;
  /** uuid; receivers see it as evt_...: of the event, or derived when one event makes two wake-ups for one AI. */
  eventId: string;
  /** "message.direct" */
  name: string;
  at: Date;
  /** uuids of the groups that it happened in: for those who want one group alone, where any of them counts. */
  groups: readonly string[];
  /** The payload as its public JSON. */
  data: object;
}

/**
 * Queues wake-ups for the subscriptions that match and touches their destinations. Must run in the transaction that
 * recorded them, as a statement of its own AFTER the one that locked the streams' rows and numbered them: Subscribe
 * locks the same row, so that a new subscription is either seen here or finds them in the stream. A wake-up that is
 * queued already stays as it is.
 *
 * @returns the destinations to kick after the commit (uuids), none when nobody subscribes
 */
export async function fanOut(tx: Tx, now: Date, wakeUps: readonly RecordedWakeUp[]): Promise<string[]> {
  const fitting = wakeUps.filter(({ data }) => JSON.stringify(data).length <= mostDataCharacters);
  return fitting.length === 0 ? [] : await queueWakeUps(tx, now, fitting);
}

/** A delivery has at most 256 KiB, in UTF-8 and with what is around the data; what is larger can be polled. */
const mostDataCharacters = 80_000;

/** Why subscriptions end without their AI's doing. */
export type Ending = 'revoked' | 'changed_hands';

/**
 * Ends the subscriptions of these AIs and queues one `terminated` for each; nothing else is sent any more. For the
 * transaction that notes that an AI was switched off or has another owner. Ended ones stay as they are.
 *
 * @returns the destinations to kick after the commit (uuids)
 */
export async function terminate(tx: Tx, now: Date, ais: readonly string[], why: Ending): Promise<string[]> {
  if (ais.length === 0) return [];
  const error = { code: eventErrorCodes.forbidden, message: words[why], data: { reason: why } };
  return await endSubscriptionsOf(tx, now, ais, error);
}

const words: Record<Ending, string> = {
  revoked: 'this AI was switched off; nothing is sent here any more',
  changed_hands: 'this AI has another owner than when it subscribed; it can subscribe again',
};
