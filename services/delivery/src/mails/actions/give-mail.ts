import { setTimeout } from 'node:timers/promises';
import { minute } from '@hearth/clock';
import { unavailable } from '@hearth/errors';
import { destinationKinds } from '../../shared/db/destinations.ts';
import type { Context } from '../context.ts';
import { findOutcome, type MailRow, queueMails, refuseMails } from '../db/mails.ts';
import { type Mail, readMail } from '../domain/mail.ts';

/** As long as a sign-in code is valid. */
const keptMs = 10 * minute;
/** How often to check whether another process made the attempt; less often for a mail that this process holds. */
const lookMs = 500;
const inHandLookMs = 2_500;

const contextOf = (id: string) => `mail.given:${id}`;

/**
 * Sends a mail whose content is given. Resolves once the mail server accepted it; a failed attempt is not
 * retried.
 *
 * @throws bad_request if the mail is malformed; unavailable if it was not accepted or `signal` aborted
 */
export async function giveMail(context: Context, given: Mail, signal: AbortSignal): Promise<void> {
  const { clock, database, ids, outbound, sealer, transport, waiting } = context;
  const mail = readMail(given);
  if (transport.full()) throw unavailable('too many mails wait for the mail server; try again later');
  const id = ids.uuid();
  const at = new Date(clock.now());
  const { kind, ...content } = mail;
  const first = Promise.withResolvers<boolean>();
  const answered = new AbortController();
  waiting.set(id, { signal, settled: first.resolve });
  try {
    const sealed = sealer.seal(Buffer.from(JSON.stringify(content)), contextOf(id));
    const endsAt = new Date(at.getTime() + keptMs);
    const row = { id, source: 'given', kind, ref: null, part: 0, content: sealed, endsAt, at } as const;
    const [queued] = await outbound.queue(destinationKinds.mail, 1, (lease) =>
      database.statement((tx) => queueMails(tx, [row], at, lease)),
    );
    const sent = await Promise.race([
      first.promise,
      waitForOtherProcess(context, id, queued?.taken ? inHandLookMs : lookMs, answered.signal),
      waitForAbort(signal),
    ]);
    if (sent) return;
    // A code must not arrive after its caller was told of the failure.
    if (signal.aborted) await database.statement((tx) => refuseMails(tx, [id]));
    throw unavailable(transport.refusal);
  } finally {
    answered.abort();
    waiting.delete(id);
  }
}

/** Resolves to false once the caller stops waiting. */
function waitForAbort(signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    signal.addEventListener('abort', () => resolve(false), { once: true });
  });
}

/** Waits for the attempt of another process, and returns whether it sent the mail. */
async function waitForOtherProcess(
  { database }: Context,
  id: string,
  everyMs: number,
  answered: AbortSignal,
): Promise<boolean> {
  while (!answered.aborted) {
    await setTimeout(everyMs, undefined, { signal: answered }).catch(() => {});
    const outcome = answered.aborted ? null : await findOutcome(database.db, id);
    if (outcome?.waiting === false) return outcome.sent;
  }
  return false;
}

/** Unseals a mail's content; null once it expired. */
export function openGiven(
  { clock, log, sealer }: Pick<Context, 'clock' | 'log' | 'sealer'>,
  { id, content, endsAt }: Pick<MailRow, 'content' | 'endsAt' | 'id'>,
): Omit<Mail, 'kind'> | null {
  if (content === null || (endsAt !== null && endsAt.getTime() <= clock.now())) return null;
  try {
    return JSON.parse(sealer.open(content, contextOf(id)).toString()) as Omit<Mail, 'kind'>;
  } catch (err) {
    log.error({ err, mail: id }, 'a mail cannot be opened, and is not sent');
    return null;
  }
}
