import { day, hour, second } from '@hearth/clock';
import type { People } from '@hearth/people';
import type { Host } from '@hearth/runtime';
import type { Mailer } from '../hold/actions/mailer.ts';
import type { AppEvents } from './actions/hand-over.ts';
import { oneAtATime } from './actions/one-at-a-time.ts';
import type { PageLinks } from './actions/page-links.ts';
import { tellPeople } from './consumers/on-notified.ts';
import { purgeNotices } from './db/notices.ts';
import { purgeOpenedLinks } from './db/opened-links.ts';
import { noticedTypes } from './domain/drafts.ts';
import { sendMails } from './jobs/send-mails.ts';

/** Longer than any event is heard again, and than any mail is tried. */
const keptDays = 8;

export interface NoticeTools {
  mailer: Mailer;
  people: Pick<People, 'find'>;
  apps: AppEvents;
  links: Pick<PageLinks, 'issue'>;
}

/** People are told what needs them: by the app that holds them, else by e-mail. */
export function startNotices(host: Host, { mailer, people, apps, links }: NoticeTools): void {
  const { clock, config, database, limits, log } = host;
  const { home, siteUrl } = config;
  const mails = oneAtATime(
    () => sendMails({ clock, database, log, mailer, people, home, siteUrl }),
    (err) => log.warn({ err }, 'e-mails that are due were left to the next run'),
  );
  host.onDrain(() => mails.idle());
  host.hear({
    durable: 'notices',
    types: noticedTypes,
    handle: (heard) => tellPeople({ database, limits, people, apps, links, mailsWait: mails.start }, heard),
  });
  host.every('e-mails that are due', 2 * second, () => mails.run());
  host.every('purge of notices', hour, () =>
    database.transaction(async (tx) => {
      await purgeNotices(tx, new Date(clock.now() - keptDays * day));
      await purgeOpenedLinks(tx, new Date(clock.now()));
    }),
  );
}
