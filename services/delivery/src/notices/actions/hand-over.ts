import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Tx } from '@hearth/db';
import { printId } from '@hearth/ids';
import { type Event, EventSchema } from '@hearth/proto/events/v1/events';
import type { NewAppEvent } from '../../app-deliveries/db/app-events.ts';
import type { Notice } from '../domain/notice.ts';
import type { PageLinks } from './page-links.ts';

/** What apps are sent: made of events, stored with what caused it, and sent from then on. */
export interface AppEvents {
  /** As each app may see it; asks peers, so before a transaction. */
  prepare(events: readonly Event[]): Promise<NewAppEvent[]>;
  /** Answers the apps for which something waits now. */
  store(tx: Tx, rows: readonly NewAppEvent[]): Promise<string[]>;
  /** After the commit, with these apps. */
  kick(apps: readonly string[]): void;
}

/** A notice for somebody whom an app holds. */
export interface AppNotice {
  notice: Notice;
  /** uuid */
  app: string;
}

/**
 * The events `notify` by which apps are told, each under the id of its notice. They go the way of every event of apps, as
 * if the service that has the thing had named whom it goes to.
 */
export async function eventsFor(
  { prepare }: Pick<AppEvents, 'prepare'>,
  links: Pick<PageLinks, 'issue'>,
  notices: readonly AppNotice[],
): Promise<NewAppEvent[]> {
  return notices.length === 0 ? [] : await prepare(notices.map((notice) => eventOf(notice, links)));
}

/** Everybody sees the front page; to others the link leads whoever an app holds, who may have no sign-in. */
function eventOf({ notice, app }: AppNotice, links: Pick<PageLinks, 'issue'>): Event {
  const { id, at, person, about, title, body, kind, item } = notice;
  const link = notice.link === '/' ? notice.link : links.issue(person, notice.link);
  return create(EventSchema, {
    id: printId('evt', id),
    at: timestampFromDate(at),
    data: {
      case: 'personNotified',
      value: { person, about: about ?? '', title, body, link, kind, item, apps: [app] },
    },
  });
}
