import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Context } from '../context.ts';
import { wokenUntil } from '../db/subscriptions.ts';

/**
 * Tells identity until when webhooks wake an AI, for its card. Never throws: a stale card does no harm, and
 * the next renewal corrects it.
 */
export async function noteWakes({ clock, database, identity, log }: Context, ai: string): Promise<void> {
  try {
    const until = await wokenUntil(database.db, ai, new Date(clock.now()));
    await identity.noteWakes({ ai, ...(until !== null && { until: timestampFromDate(until) }) });
  } catch (err) {
    log.warn({ err, ai }, 'identity could not be notified until when an AI is woken');
  }
}
