import { day, hour } from '@hearth/clock';
import { LinksService } from '@hearth/proto/delivery/v1/links';
import type { Host } from '@hearth/runtime';
import { audiences } from '../events/module.ts';
import { createPageLinks } from './actions/page-links.ts';
import { onNotified } from './consumers/on-notified.ts';
import type { Context } from './context.ts';
import { purgeNotices } from './db/notices.ts';
import { purgeOpenedLinks } from './db/opened-links.ts';

/** Longer than any event is redelivered. */
const keptDays = 8;

/** Notifies people of what needs them: through the app that holds them, otherwise by email. */
export async function startNotices(host: Host, deps: Pick<Context, 'appEvents' | 'outbound'>): Promise<void> {
  const { clock, database } = host;
  const context: Context = { ...host, ...deps, links: createPageLinks(host) };
  await host.serveRpcs(LinksService, import.meta.url, context);
  host.consume({ durable: 'notices', types: audiences.notice.types, handle: onNotified(context) });
  host.every('purge-notices', hour, () =>
    database.transaction(async (tx) => {
      await purgeNotices(tx, new Date(clock.now() - keptDays * day));
      await purgeOpenedLinks(tx, new Date(clock.now()));
    }),
  );
}
