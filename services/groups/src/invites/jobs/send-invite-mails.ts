import { hour, minute, second } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import { anyone } from '@hearth/rpc';
import { findGroups } from '../../groups/db/groups.ts';
import { isArchived } from '../../groups/domain/ended.ts';
import { reachesByMail } from '../actions/reach-by-mail.ts';
import type { InvitesContext } from '../context.ts';
import { findInvite } from '../db/invites.ts';
import { claimMails, deleteMail, type MailRow, postponeMail } from '../db/mails.ts';
import { linkOf } from '../domain/invite-code.ts';
import { inviteMail } from '../domain/invite-mail.ts';
import { atMoment } from '../domain/invite-state.ts';

const leaseMs = 60 * second;
const batch = 20;
/** How long after each failure it is tried again; then it is given up. */
const waits = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour];

/** Sends the invites that go to e-mail addresses. */
export async function sendInviteMails(context: InvitesContext): Promise<void> {
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

async function send(context: InvitesContext, row: MailRow): Promise<void> {
  const { clock, database, log, mail } = context;
  try {
    const words = await compose(context, row);
    if (words !== null)
      await mail.sendMail(
        { to: row.email, ...words, kind: 'invite' },
        { caller: anyone, timeoutMs: 20 * second },
      );
    await database.statement((tx) => deleteMail(tx, row.invite));
  } catch (err) {
    if (!isHearthError(err)) throw err;
    const wait = waits[row.attempts];
    const again = wait === undefined ? null : new Date(clock.now() + wait);
    log.warn({ err, invite: row.invite, again }, 'an invite did not go out by e-mail');
    await database.statement((tx) =>
      again === null ? deleteMail(tx, row.invite) : postponeMail(tx, row.invite, again),
    );
  }
}

/** Null when nobody can use it any more, or it may not go there. */
async function compose(context: InvitesContext, { invite: id, email, code }: MailRow) {
  const { clock, database, homeName, people, sealer, siteUrl } = context;
  const stored = await findInvite(database.db, id);
  const [group] = stored === null ? [] : await findGroups(database.db, [stored.group], []);
  if (stored === null || group === undefined || isArchived(group, clock.now())) return null;
  const invite = atMoment(stored, clock.now());
  const organizer = await people.findOne(invite.created_by_person);
  if (invite.status !== 'waiting' || organizer === null) return null;
  if (!(await reachesByMail(context, invite, email))) return null;
  return inviteMail({
    home: homeName,
    inviter: organizer.name,
    group: group.name,
    link: linkOf(siteUrl, sealer.open(code, `invite.code:${id}`).toString()),
    reusable: invite.reusable,
    expiresAt: invite.expires_at,
  });
}
