import { hour, minute, second } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import { anyone } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findApproval } from '../db/approvals.ts';
import { claimMails, noteMail } from '../db/mails.ts';
import type { RecipientRow } from '../db/recipients.ts';
import { askMail } from '../domain/mail.ts';
import { reachesByMail } from './may-mail.ts';
import { recordMail } from './metrics.ts';
import { askLink, mailKey } from './receipt.ts';

type Needed = Pick<
  Context,
  'clock' | 'database' | 'homeNames' | 'log' | 'peers' | 'rules' | 'sealer' | 'siteUrl'
>;

const leaseMs = 60 * second;
const batch = 20;
/** How long after each failure it is tried again; then it is given up. */
const waits = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour];

/** Sends the e-mails that are due to those who were asked by their address. */
export async function sendMails(context: Needed): Promise<void> {
  const { clock, database } = context;
  for (;;) {
    const now = clock.now();
    const due = await database.transaction((tx) =>
      claimMails(tx, { now: new Date(now), until: new Date(now + leaseMs), limit: batch }),
    );
    await Promise.all(due.map((recipient) => send(context, recipient)));
    if (due.length < batch) return;
  }
}

async function send(context: Needed, recipient: RecipientRow): Promise<void> {
  const { clock, database, log, peers } = context;
  try {
    const mail = await compose(context, recipient);
    if (mail !== null) await peers.delivery.sendMail(mail, { caller: anyone, timeoutMs: 20 * second });
    const mailedAt = mail === null ? null : new Date(clock.now());
    await database.statement((tx) => noteMail(tx, recipient, { mailedAt, nextAt: null }));
    if (mail !== null) recordMail({ outcome: 'sent' });
  } catch (err) {
    if (!isHearthError(err)) throw err;
    const wait = waits[recipient.mail_attempts];
    const nextAt = wait === undefined ? null : new Date(clock.now() + wait);
    log.warn({ err, approval: recipient.approval, again: nextAt }, 'an e-mail about an ask did not go out');
    await database.statement((tx) => noteMail(tx, recipient, { mailedAt: null, nextAt }));
    recordMail({ outcome: wait === undefined ? 'given_up' : 'failed' });
  }
}

/** Null when there is nothing left to answer, or it may not go there. */
async function compose(
  context: Needed,
  { approval: id, position, address, mailed_at, decision }: RecipientRow,
) {
  const { database, homeNames, sealer, siteUrl } = context;
  const approval = await findApproval(database.db, id);
  if (approval === null || approval.status !== 'waiting' || decision !== 'waiting') return null;
  if (!(await reachesByMail(context, approval, address))) return null;
  const { subject, text } = askMail({
    title: approval.title,
    details: approval.details,
    from_name: approval.asker_name,
    from: approval.asker_minor ? '' : approval.asker_address,
    name_verified: approval.asker_verified,
    group: approval.group_name,
    expires_at: approval.expires_at,
    link: askLink(siteUrl, id, mailKey(sealer, id, position)),
    home: homeNames.ownHome,
    reminder: mailed_at !== null,
  });
  return { to: address, subject, text, kind: 'approval' };
}
