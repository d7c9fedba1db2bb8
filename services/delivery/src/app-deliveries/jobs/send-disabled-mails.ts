import { hour, minute, second } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import { printId } from '@hearth/ids';
import type { DisabledWhy } from '../../shared/db/app-streams.ts';
import type { KnownApp } from '../actions/apps.ts';
import type { Context } from '../context.ts';
import { findMailsDue, noteMail } from '../db/disabled-mails.ts';

const sendMs = 20 * second;
const batch = 20;
/** How long after each failure it is tried again; then it is given up. */
const backoff = [minute, 5 * minute, 30 * minute, 2 * hour];

/**
 * Notifies the contacts of apps whose address was disabled. Two processes at once may write the same mail twice, which is
 * better than never.
 */
export async function sendDisabledMails(context: Context): Promise<void> {
  const { apps, clock, database, log } = context;
  for (const { app: id, why, tries } of await findMailsDue(database.db, new Date(clock.now()), batch)) {
    const app = await apps.find(id);
    let retryAt: Date | null = null;
    try {
      if (app !== null) await send(context, app, why);
    } catch (err) {
      const wait = isHearthError(err) && err.kind === 'bad_request' ? undefined : backoff[tries];
      retryAt = wait === undefined ? null : new Date(clock.now() + wait);
      log.warn(
        { err, app: printId('app', id), retryAt },
        'the mail about a disabled webhook address did not go out',
      );
    }
    await database.statement((tx) => noteMail(tx, id, retryAt));
  }
}

const reasons: Readonly<Record<DisabledWhy, string>> = {
  gone: 'it answered 410, which says that it is gone',
  failing: 'nothing but failures came from there for five days',
};

async function send({ mailer, siteUrl }: Context, app: KnownApp, why: DisabledWhy): Promise<void> {
  const mail = {
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
  };
  await mailer.send(mail, AbortSignal.timeout(sendMs));
}
