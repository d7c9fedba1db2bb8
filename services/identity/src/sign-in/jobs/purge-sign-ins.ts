import { day } from '@hearth/clock';
import { purgeEnded } from '../../shared/actions/purge-ended.ts';
import type { Context } from '../context.ts';

/** For so long a caller with an ended session is told that it ended. */
const sessionsKeptMs = 30 * day;

export async function purgeSignIns(context: Pick<Context, 'clock' | 'database'>): Promise<void> {
  await purgeEnded(context, 'sessions', sessionsKeptMs);
  // Wrong tries are counted for a day.
  await purgeEnded(context, 'email_codes', day);
  await purgeEnded(context, 'passkey_challenges');
  await purgeEnded(context, 'account_mails');
}
