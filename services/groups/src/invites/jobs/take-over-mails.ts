import { nowDate } from '@hearth/clock';
import type { Context } from '../context.ts';
import { takeOverMails as takeOver } from '../db/mails.ts';
import { mailDeletesAt, mailDue } from '../domain/invite-mail.ts';

const batch = 100;

/** Gives delivery the mails that waited in the version before. */
export async function takeOverMails({ clock, commit }: Context): Promise<void> {
  let taken: number;
  do {
    taken = await commit(async (tx) => {
      const now = nowDate(clock);
      const invites = await takeOver(tx, { now, deletesAt: mailDeletesAt(now), limit: batch });
      tx.announce(...invites.map(mailDue));
      return invites.length;
    });
  } while (taken === batch);
}
