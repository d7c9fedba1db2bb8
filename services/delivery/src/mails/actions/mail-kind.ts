import { hour, minute, second } from '@hearth/clock';
import { destinationKinds } from '../../shared/db/destinations.ts';
import type { MailSource } from '../../shared/db/mails.ts';
import type { AttemptError, OutboundKind, Outcome, Send } from '../../shared/domain/outbound.ts';
import type { Context } from '../context.ts';
import {
  findDueMails,
  type MailRow,
  nextDueSql,
  refuseMails,
  type ServerHealth,
  settleMails,
} from '../db/mails.ts';
import { senderOf } from '../domain/mail.ts';
import { type Content, composeMails } from './compose-mails.ts';
import { recordMail } from './metrics.ts';

interface MailSend extends Send {
  row: MailRow;
  content: Exclude<Content, 'refused'>;
}

const sendMs = 20 * second;
/** Delay before each retry. */
const backoff = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour];
/** Retries by source. A mail with a code is not retried: the person asks for another code. */
const retries: Readonly<Record<MailSource, number>> = {
  notice: 4,
  app_disabled: 4,
  ask_mail: 5,
  ask_reminder: 5,
  invite_mail: 5,
  account_mail: 5,
  meeting_mail: 5,
  given: 0,
};

/** Emails as a kind of sends of the engine: each mail is its own destination, so that none waits for another. */
export function createMailKind(context: Context): OutboundKind<MailSend> {
  const { clock, config, database, log, transport, waiting } = context;
  const from = senderOf(config.home);
  const domain = from.slice('hearth@'.length);

  function settledOf({ send: { row, content }, at, error }: Outcome<MailSend>) {
    const { id, source, kind, tries } = row;
    const again =
      error === null || content === 'invalid' || tries >= retries[source] ? undefined : backoff[tries];
    const dueAt = again === undefined ? null : new Date(clock.now() + again);
    if (error !== null) log.warn({ mail: id, kind, error, retryAt: dueAt }, 'a mail did not go out');
    recordMail(source, error === null ? 'sent' : dueAt === null ? 'given_up' : 'failed');
    return { id, at, error, dueAt };
  }

  async function refuse(rows: readonly MailRow[]): Promise<void> {
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    await database.statement((tx) => refuseMails(tx, ids));
    for (const { source } of rows) recordMail(source, 'not_sent');
    for (const id of ids) waiting.get(id)?.settled(false);
  }

  /** Loads the content; mails no longer allowed end as `not_sent`. */
  async function prepare(rows: readonly MailRow[]): Promise<MailSend[]> {
    const contents = await composeMails(context, rows);
    const contentOf = ({ id }: MailRow) => contents.get(id) ?? 'away';
    await refuse(rows.filter((row) => contentOf(row) === 'refused'));
    return rows.flatMap((row): MailSend[] => {
      const { id, tries: attempts } = row;
      const content = contentOf(row);
      return content === 'refused' ? [] : [{ id, destination: id, orderKey: null, attempts, row, content }];
    });
  }

  return {
    number: destinationKinds.mail,
    name: 'mail',
    passing: true,
    parallel: 1,
    gatherMs: 100,
    nextDueSql,
    due: async (now, questions) => await prepare(await findDueMails(database.db, now, questions)),
    prepare: (_, queued) => prepare(queued as MailRow[]),
    async attempt(send, signal) {
      const { id, content } = send;
      if (content === 'away' || transport.full()) return null;
      const start = performance.now();
      const outcome = (error: AttemptError | null) => {
        const ms = Math.round(performance.now() - start);
        return { send, at: new Date(clock.now()), ms, status: null, error, retryAfterMs: null };
      };
      if (content === 'invalid') return outcome('mail_refused');
      const caller = waiting.get(id);
      const ends = [signal, AbortSignal.timeout(sendMs), ...(caller === undefined ? [] : [caller.signal])];
      const message = { ...content, from, date: new Date(clock.now()), messageId: `<${id}@${domain}>` };
      const error = await transport.send(message, AbortSignal.any(ends));
      return error !== null && signal.aborted ? null : outcome(error);
    },
    settle(outcomes) {
      const settled = outcomes.map(settledOf);
      return {
        ...settleMails(settled, healthOf(outcomes)),
        written() {
          for (const { id, error } of settled) waiting.get(id)?.settled(error === null);
        },
      };
    },
  };
}

/** Returns the mail server's health after the last attempt that reached it. */
function healthOf(outcomes: readonly Outcome<MailSend>[]): ServerHealth {
  const reached = outcomes.filter(({ send }) => send.content !== 'invalid');
  return reached.reduce<ServerHealth>(
    (last, outcome) => (last === null || outcome.at >= last.at ? outcome : last),
    null,
  );
}
