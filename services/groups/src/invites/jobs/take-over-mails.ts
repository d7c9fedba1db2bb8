import { nowDate } from '@hearth/clock';
import { inBatches } from '@hearth/db';
import type { UnitOfWork } from '@hearth/outbox';
import type { Context } from '../context.ts';
import { takeOverMails as takeOver } from '../db/mails.ts';
import { mailDeletesAt, mailDue } from '../domain/invite-mail.ts';

const batch = 100;

/** Hands delivery the mails queued by the previous version. */
export async function takeOverMails({ clock, commit }: Context): Promise<void> {
  await inBatches<UnitOfWork>({ transaction: commit }, batch, async (tx, limit) => {
    const now = nowDate(clock);
    const invites = await takeOver(tx, { now, deletesAt: mailDeletesAt(now), limit });
    tx.announce(...invites.map(mailDue));
    return invites.length;
  });
}
