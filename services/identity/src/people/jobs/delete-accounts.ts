import { nowDate } from '@hearth/clock';
import type { Logger } from '@hearth/telemetry';
import { listDue } from '../../shared/db/people.ts';
import { endAccount } from '../actions/end-account.ts';
import type { Context } from '../context.ts';

const batch = 50;

/** Ends all accounts that are due. A failure does not hold up the others and is retried. */
export async function deleteAccounts(context: Context, log: Pick<Logger, 'error'>): Promise<void> {
  let after: { deletesAt: Date; id: string } | null = null;
  for (;;) {
    const due = await listDue(context.database.db, nowDate(context.clock), after, batch);
    for (const { id } of due) {
      try {
        await endAccount(context, id);
      } catch (err) {
        log.error({ err, person: id }, 'an account could not be deleted; it will be tried again');
      }
    }
    const last = due.at(-1);
    if (last === undefined || due.length < batch) return;
    after = last;
  }
}
