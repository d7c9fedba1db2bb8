import type { Tx } from '@hearth/db';

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
export async function fanOut(_tx: Tx, _now: Date, _wakeUps: readonly RecordedWakeUp[]): Promise<string[]> {
  return [];
}

/** Why subscriptions end without their AI's doing. */
export type Ending = 'revoked' | 'changed_hands';

/**
 * Ends the subscriptions of these AIs and queues one `terminated` for each; nothing else is sent any more. For the
 * transaction that notes that an AI was switched off or has another owner. Ended ones stay as they are.
 *
 * @returns the destinations to kick after the commit (uuids)
 */
export async function terminate(
  _tx: Tx,
  _now: Date,
  _ais: readonly string[],
  _why: Ending,
): Promise<string[]> {
  return [];
}
