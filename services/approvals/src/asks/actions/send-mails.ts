import { hour, minute, second } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import { anonymous } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findApproval } from '../db/approvals.ts';
import { claimMails, noteMail } from '../db/mails.ts';
import type { RecipientRow } from '../db/recipients.ts';
import { askMail } from '../domain/mail.ts';
import { mayMail } from './may-mail.ts';
import { recordMail } from './metrics.ts';
import { askLink, mailKey } from './receipt.ts';

const leaseMs = 60 * second;
const batch = 20;
/** The time between a failure and the next attempt; after the last one the mail is given up. */
const backoff = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour];

/** Sends the e-mails that are due to recipients who were asked by their e-mail address. */
export async function sendMails(context: Context): Promise<void> {
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

async function send(context: Context, recipient: RecipientRow): Promise<void> {
  const { clock, database, log, peers } = context;
  try {
    const mail = await compose(context, recipient);
    if (mail !== null) await peers.delivery.sendMail(mail, { caller: anonymous, timeoutMs: 20 * second });
    const mailedAt = mail === null ? null : new Date(clock.now());
    await database.statement((tx) => noteMail(tx, recipient, { mailedAt, retryAt: null }));
    if (mail !== null) recordMail({ outcome: 'sent' });
  } catch (err) {
    if (!isHearthError(err)) throw err;
    const wait = backoff[recipient.mail_attempts];
    const retryAt = wait === undefined ? null : new Date(clock.now() + wait);
    log.warn({ err, approval: recipient.approval, retryAt }, 'an e-mail about an ask did not go out');
    await database.statement((tx) => noteMail(tx, recipient, { mailedAt: null, retryAt }));
    recordMail({ outcome: wait === undefined ? 'given_up' : 'failed' });
  }
}

/** Null when there is nothing left to answer, or it may not go there. */
async function compose(
  context: Context,
  { approval: id, position, address, mailed_at, decision }: RecipientRow,
) {
  const { config, database, homeNames, sealer } = context;
  const approval = await findApproval(database.db, id);
  if (approval === null || approval.status !== 'waiting' || decision !== 'waiting') return null;
  if (!(await mayMail(context, approval, address))) return null;
  const { subject, text } = askMail({
    title: approval.title,
    details: approval.details,
    from_name: approval.asker_name,
    from: approval.asker_minor ? '' : approval.asker_address,
    name_verified: approval.asker_verified,
    group: approval.group_name,
    expires_at: approval.expires_at,
    link: askLink(config.siteUrl, id, mailKey(sealer, id, position)),
    home: homeNames.ownHome,
    reminder: mailed_at !== null,
  });
  return { to: address, subject, text, kind: 'approval' };
}
