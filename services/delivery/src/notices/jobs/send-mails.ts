import { hour, minute, second } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import { isMinor, shortenName } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { recordMail } from '../actions/metrics.ts';
import type { Context } from '../context.ts';
import { claimMails, type MailOutcome, type MailRow, settleMails } from '../db/mails.ts';
import { noticeMail } from '../domain/notice-mail.ts';

const leaseMs = minute;
const sendMs = 20 * second;
const batch = 20;
/** How long after each failure it is tried again; then it is given up. */
const backoff = [minute, 5 * minute, 30 * minute, 2 * hour];

/** Sends the e-mails that are due. Those that a crash leaves in hand are due again when their lease is over. */
export async function sendMails(context: Context): Promise<void> {
  const { clock, database, people } = context;
  for (;;) {
    const now = clock.now();
    const due = await database.statement((tx) =>
      claimMails(tx, { now: new Date(now), until: new Date(now + leaseMs), limit: batch }),
    );
    if (due.length === 0) return;
    const facts = await people.find(due.flatMap(({ person, about }) => [person, ...(about ? [about] : [])]));
    const outcomes = await Promise.all(due.map((mail) => attempt(context, mail, facts)));
    await database.statement((tx) => settleMails(tx, outcomes));
    if (due.length < batch) return;
  }
}

/** To the address that is verified now; without one the mail is dropped. */
async function attempt(
  context: Context,
  row: MailRow,
  people: ReadonlyMap<string, PersonFacts>,
): Promise<MailOutcome> {
  const { clock, log, mailer } = context;
  const { id, kind } = row;
  const to = people.get(row.person)?.email ?? '';
  if (to === '') {
    recordMail('dropped');
    return { id, sentAt: null, dueAt: null };
  }
  try {
    const mail = { id, to, ...copyOf(context, row, people), html: '', kind };
    await mailer.send(mail, AbortSignal.timeout(sendMs));
    recordMail('sent');
    return { id, sentAt: new Date(clock.now()), dueAt: null };
  } catch (err) {
    const wait = isHearthError(err) && err.kind === 'bad_request' ? undefined : backoff[row.attempts];
    const retryAt = wait === undefined ? null : new Date(clock.now() + wait);
    log.warn({ err, mail: id, kind, retryAt }, 'an e-mail about what waits for a person did not go out');
    recordMail(wait === undefined ? 'given_up' : 'failed');
    return { id, sentAt: null, dueAt: retryAt };
  }
}

function copyOf(
  { config: { home, siteUrl } }: Context,
  { title, body, about, kind, link }: MailRow,
  people: ReadonlyMap<string, PersonFacts>,
): { subject: string; text: string } {
  const child = about === null ? undefined : people.get(about);
  const name = child !== undefined && isMinor(child) ? shortenName(child.name) : '';
  return noticeMail({ title, body, about: name, kind, link: `${siteUrl}${link}`, siteUrl, home });
}
