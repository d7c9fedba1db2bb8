import { day, hour, minute } from '@hearth/clock';
import { MailsService } from '@hearth/proto/delivery/v1/mails';
import { SendSourceService } from '@hearth/proto/delivery/v1/send_sources';
import { AppsService } from '@hearth/proto/identity/v1/apps';
import type { Host } from '@hearth/runtime';
import type { Outbound } from '../shared/domain/outbound.ts';
import { giveMail } from './actions/give-mail.ts';
import { createMailKind } from './actions/mail-kind.ts';
import { createTransport } from './actions/transport.ts';
import { onSend } from './consumers/on-send.ts';
import type { Context } from './context.ts';
import { adoptMails, purgeMails } from './db/mails.ts';
import { shownMails } from './db/shown-mails.ts';
import type { Mail } from './domain/mail.ts';

/** Longer than any mail is retried. */
const keptDays = 8;

/** Sends mail for this home. */
export interface Mails {
  /**
   * Resolves once the mail was accepted.
   *
   * @throws bad_request if it cannot be sent; unavailable if it was not accepted
   */
  give(mail: Mail, signal: AbortSignal): Promise<void>;
}

/** Sends every email of the home, through the outbound engine. */
export async function startMails(host: Host, { outbound }: { outbound: Outbound }): Promise<Mails> {
  const { clock, database } = host;
  const transport = await createTransport(host);
  host.onStop(() => transport.close());
  host.sealed({ table: 'mail_sends', column: 'content', context: "'mail.given:' || id" });
  const context: Context = {
    ...host,
    outbound,
    transport,
    apps: host.peer('identity', AppsService),
    sources: {
      approvals: host.peer('approvals', SendSourceService),
      decisions: host.peer('decisions', SendSourceService),
      groups: host.peer('groups', SendSourceService),
      identity: host.peer('identity', SendSourceService),
    },
    waiting: new Map(),
  };
  outbound.add(createMailKind(context), shownMails(originOf(host)));
  await host.serveRpcs(MailsService, import.meta.url, context);
  host.consume(onSend(context));
  host.every('adopt-mails', minute, () =>
    database.statement((tx) => adoptMails(tx, new Date(clock.now() - minute))),
  );
  host.every('purge-mails', hour, () =>
    database.transaction((tx) =>
      purgeMails(tx, new Date(clock.now() - keptDays * day), new Date(clock.now())),
    ),
  );
  return { give: (mail, signal) => giveMail(context, mail, signal) };
}

/** Returns the mail server's URL without credentials and path; null if there is none. */
function originOf({ own }: Pick<Host, 'own'>): string | null {
  const smtpUrl = own('smtpUrl');
  if (smtpUrl === undefined) return null;
  const { protocol, host } = new URL(smtpUrl.reveal());
  return `${protocol}//${host}`;
}
