import { type Clock, hour, minute, second } from '@hearth/clock';
import type { Database } from '@hearth/db';
import { isHearthError } from '@hearth/errors';
import { isMinor, type People, shortenName } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Logger } from '@hearth/telemetry';
import type { Mailer } from '../../hold/actions/mailer.ts';
import { readMail } from '../../hold/domain/mail.ts';
import { recordMail } from '../actions/metrics.ts';
import { claimMails, type MailOutcome, type MailRow, settleMails } from '../db/mails.ts';
import { noticeMail } from '../domain/notice-mail.ts';

export interface MailTools {
  clock: Clock;
  database: Database;
  log: Logger;
  mailer: Mailer;
  people: Pick<People, 'find'>;
  home: string;
  siteUrl: string;
}

const leaseMs = minute;
const sendMs = 20 * second;
const batch = 20;
/** How long after each failure it is tried again; then it is given up. */
const waits = [minute, 5 * minute, 30 * minute, 2 * hour];

/** Sends the e-mails that are due. What a crash leaves in hand is due again when its lease is over. */
export async function sendMails(tools: MailTools): Promise<void> {
  const { clock, database, people } = tools;
  for (;;) {
    const now = clock.now();
    const due = await database.statement((tx) =>
      claimMails(tx, { now: new Date(now), until: new Date(now + leaseMs), limit: batch }),
    );
    if (due.length === 0) return;
    const facts = await people.find(due.flatMap(({ person, about }) => [person, ...(about ? [about] : [])]));
    const outcomes = await Promise.all(due.map((mail) => attempt(tools, mail, facts)));
    await database.statement((tx) => settleMails(tx, outcomes));
    if (due.length < batch) return;
  }
}

/** To the address that is verified now; where there is none any more, nowhere. */
async function attempt(
  tools: MailTools,
  row: MailRow,
  people: ReadonlyMap<string, PersonFacts>,
): Promise<MailOutcome> {
  const { clock, log, mailer } = tools;
  const { id, kind } = row;
  const to = people.get(row.person)?.email ?? '';
  if (to === '') {
    recordMail('dropped');
    return { id, sentAt: null, dueAt: null };
  }
  try {
    const mail = readMail({ to, ...wordsOf(tools, row, people), html: '', kind });
    await mailer.send({ ...mail, id }, AbortSignal.timeout(sendMs));
    recordMail('sent');
    return { id, sentAt: new Date(clock.now()), dueAt: null };
  } catch (err) {
    const wait = isHearthError(err) && err.kind === 'bad_request' ? undefined : waits[row.attempts];
    const dueAt = wait === undefined ? null : new Date(clock.now() + wait);
    log.warn({ err, mail: id, kind, again: dueAt }, 'an e-mail about what waits for somebody did not go out');
    recordMail(wait === undefined ? 'given_up' : 'failed');
    return { id, sentAt: null, dueAt };
  }
}

function wordsOf(
  { home, siteUrl }: MailTools,
  { title, body, about, kind, link }: MailRow,
  people: ReadonlyMap<string, PersonFacts>,
): { subject: string; text: string } {
  const child = about === null ? undefined : people.get(about);
  const name = child !== undefined && isMinor(child) ? shortenName(child.name) : '';
  return noticeMail({ title, body, about: name, kind, link: `${siteUrl}${link}`, siteUrl, home });
}
