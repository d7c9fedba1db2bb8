import { nowDate } from '@hearth/clock';
import type { Context } from '../context.ts';
import { takeWaitingSends } from '../db/waiting-sends.ts';

const batch = 100;

/** Announces callbacks and mails that the previous version left in its tables, so that delivery sends them. */
export async function handOverSends({ clock, commit }: Context): Promise<void> {
  let found: number;
  do {
    found = await commit(async (tx) => {
      const sends = await takeWaitingSends(tx, nowDate(clock), batch);
      tx.announce(...sends.map((value) => ({ data: { case: 'sendDue', value } }) as const));
      return sends.length;
    });
  } while (found > 0);
}
