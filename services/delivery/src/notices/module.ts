import { day, hour, second } from '@hearth/clock';
import { singleFlight } from '@hearth/coalesce';
import { LinksService } from '@hearth/proto/delivery/v1/links';
import type { Host } from '@hearth/runtime';
import { audiences } from '../events/module.ts';
import { createPageLinks } from './actions/page-links.ts';
import { onNotified } from './consumers/on-notified.ts';
import type { Context } from './context.ts';
import { purgeNotices } from './db/notices.ts';
import { purgeOpenedLinks } from './db/opened-links.ts';
import { sendMails } from './jobs/send-mails.ts';

/** Longer than any event is received again, and than any mail is tried. */
const keptDays = 8;

/** People are notified of what needs them: by the app that holds them, else by e-mail. */
export async function startNotices(host: Host, deps: Pick<Context, 'appEvents' | 'mailer'>): Promise<void> {
  const { clock, database, log } = host;
  const mails = singleFlight(
    () => sendMails(context),
    (err) => log.warn({ err }, 'e-mails that are due were left to the next run'),
  );
  const context: Context = { ...host, ...deps, links: createPageLinks(host), mailsDue: mails.poke };
  await host.serveRpcs(LinksService, import.meta.url, context);
  host.onDrain(() => mails.idle());
  host.consume({ durable: 'notices', types: audiences.notice.types, handle: onNotified(context) });
  host.every('send-mails', 2 * second, mails.run);
  host.every('purge-notices', hour, () =>
    database.transaction(async (tx) => {
      await purgeNotices(tx, new Date(clock.now() - keptDays * day));
      await purgeOpenedLinks(tx, new Date(clock.now()));
    }),
  );
}
