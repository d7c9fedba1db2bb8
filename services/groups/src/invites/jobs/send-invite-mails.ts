import { hour, minute, second } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import { anonymous } from '@hearth/rpc';
import { findGroups, isArchived } from '../../groups/module.ts';
import { reachesByMail } from '../actions/check-reach.ts';
import type { Context } from '../context.ts';
import { findInvite } from '../db/invites.ts';
import { claimMails, deleteMail, type MailRow, postponeMail } from '../db/mails.ts';
import { linkOf } from '../domain/invite-code.ts';
import { inviteMail } from '../domain/invite-mail.ts';
import { atMoment } from '../domain/invite-state.ts';

const leaseMs = 60 * second;
const batch = 20;
/** The wait after each failure; after the last one it is given up. */
const backoff = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour];

/** Sends the invites that go to e-mail addresses. */
export async function sendInviteMails(context: Context): Promise<void> {
  const { clock, database } = context;
  for (;;) {
    const now = clock.now();
    const due = await database.transaction((tx) =>
      claimMails(tx, { now: new Date(now), until: new Date(now + leaseMs), limit: batch }),
    );
    await Promise.all(due.map((mail) => send(context, mail)));
    if (due.length < batch) return;
  }
}

async function send(context: Context, row: MailRow): Promise<void> {
  const { clock, database, log, mail } = context;
  try {
    const copy = await compose(context, row);
    if (copy !== null) {
      const message = { to: row.email, ...copy, kind: 'invite' };
      await mail.sendMail(message, { caller: anonymous, timeoutMs: 20 * second });
    }
    await database.statement((tx) => deleteMail(tx, row.invite));
  } catch (err) {
    if (!isHearthError(err)) throw err;
    const wait = backoff[row.attempts];
    const retryAt = wait === undefined ? null : new Date(clock.now() + wait);
    log.warn({ err, invite: row.invite, retryAt }, 'an invite did not go out by e-mail');
    await database.statement((tx) =>
      retryAt === null ? deleteMail(tx, row.invite) : postponeMail(tx, row.invite, retryAt),
    );
  }
}

/** Null when the invite cannot be used any more, or may not go there. */
async function compose(context: Context, { invite: id, email, code }: MailRow) {
  const { clock, config, database, people, sealer } = context;
  const stored = await findInvite(database.db, id);
  const [group] = stored === null ? [] : await findGroups(database.db, [stored.group], []);
  if (stored === null || group === undefined || isArchived(group, clock.now())) return null;
  const invite = atMoment(stored, clock.now());
  const organizer = await people.findOne(invite.created_by_person);
  if (invite.status !== 'waiting' || organizer === null) return null;
  if (!(await reachesByMail(context, invite, email))) return null;
  return inviteMail({
    home: config.home,
    inviter: organizer.name,
    group: group.name,
    link: linkOf(config.siteUrl, sealer.open(code, `invite.code:${id}`).toString()),
    reusable: invite.reusable,
    expiresAt: invite.expires_at,
  });
}
