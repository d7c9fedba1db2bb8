import { day, nowDate } from '@hearth/clock';
import { inBatches } from '@hearth/db';
import { deleteSessionsEndedBefore } from '../../shared/db/sessions.ts';
import type { Context } from '../context.ts';
import { deleteEmailCodesExpiredBefore } from '../db/email-codes.ts';
import { deleteChallengesExpiredBefore } from '../db/passkey-challenges.ts';

const batch = 1_000;
/** For so long a caller with an ended session is told that it ended. */
const sessionsKeptMs = 30 * day;

export async function purgeSignIns({ clock, database }: Pick<Context, 'clock' | 'database'>): Promise<void> {
  const now = nowDate(clock);
  const before = new Date(now.getTime() - sessionsKeptMs);
  await inBatches(database, batch, (tx, size) => deleteSessionsEndedBefore(tx, before, size));
  await inBatches(database, batch, (tx, size) => deleteEmailCodesExpiredBefore(tx, now, size));
  await inBatches(database, batch, (tx, size) => deleteChallengesExpiredBefore(tx, now, size));
}
