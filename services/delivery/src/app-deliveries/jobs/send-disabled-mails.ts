import { type Clock, hour, minute, second } from '@hearth/clock';
import type { Database } from '@hearth/db';
import { isHearthError } from '@hearth/errors';
import { printId } from '@hearth/ids';
import type { Logger } from '@hearth/telemetry';
import type { Mailer } from '../../hold/actions/mailer.ts';
import { readMail } from '../../hold/domain/mail.ts';
import { type DisabledWhy, findMailsDue, noteMail } from '../../shared/db/app-streams.ts';
import type { Apps, KnownApp } from '../actions/apps.ts';

export interface DisabledMailsContext {
  apps: Pick<Apps, 'find'>;
  clock: Clock;
  database: Database;
  log: Logger;
  mailer: Pick<Mailer, 'send'>;
  siteUrl: string;
}

const sendMs = 20 * second;
const batch = 20;
/** How long after each failure it is tried again; then it is given up. */
const waits = [minute, 5 * minute, 30 * minute, 2 * hour];

/**
 * Tells the contacts of apps whose address was disabled. Two processes at once may write the same mail twice, which is
 * better than never.
 */
export async function sendDisabledMails(context: DisabledMailsContext): Promise<void> {
  const { apps, clock, database, log } = context;
  for (const { app: id, why, tries } of await findMailsDue(database.db, new Date(clock.now()), batch)) {
    const app = await apps.find(id);
    let again: Date | null = null;
    try {
      if (app !== null) await send(context, app, why);
    } catch (err) {
      const wait = isHearthError(err) && err.kind === 'bad_request' ? undefined : waits[tries];
      again = wait === undefined ? null : new Date(clock.now() + wait);
      log.warn(
        { err, app: printId('app', id), again },
        'the mail about a disabled webhook address did not go out',
      );
    }
    await database.statement((tx) => noteMail(tx, id, again));
  }
}

const reasons: Readonly<Record<DisabledWhy, string>> = {
  gone: 'it answered 410, which says that it is gone',
  failing: 'nothing but failures came from there for five days',
};

async function send(
  { mailer, siteUrl }: DisabledMailsContext,
  app: KnownApp,
  why: DisabledWhy,
): Promise<void> {
  const mail = readMail({
    to: app.contactEmail,
    subject: `The webhook address of ${app.name} takes no events`,
    text: [
      `${siteUrl} sends no more events to the webhook address of ${app.name}:`,
      `${reasons[why]}.`,
      '',
      "Once it works again, POST /v0/app/webhook/test with the app's key,",
      'or give it another address. What was missed is kept for 30 days:',
      'GET /v0/app/events has it, and POST /v0/app/deliveries/replay sends it once more.',
    ].join('\n'),
    html: '',
    kind: 'webhook_disabled',
  });
  await mailer.send(mail, AbortSignal.timeout(sendMs));
}
