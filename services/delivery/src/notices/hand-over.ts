import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Tx } from '@hearth/db';
import { printId } from '@hearth/ids';
import { type Event, EventSchema } from '@hearth/proto/events/v1/events';
import type { AppEvent } from '../app-events/render/render.ts';
import type { Notice } from './notice.ts';

/** How apps are told, as the event `notify`, by the part of this service that is theirs. */
export interface AppNotices {
  /** Makes the events by which apps are told: each under the id of its notice. */
  prepare(notices: readonly { notice: Notice; app: string }[]): Promise<AppEvent[]>;
  /** Stores them in the transaction that notes who was told. */
  store(tx: Tx, events: readonly AppEvent[]): Promise<void>;
  /** After the commit. */
  committed(): void;
}

/** What apps are sent: made of events, stored with what caused it, and sent from then on. */
export interface AppEvents {
  prepare(events: readonly Event[]): Promise<AppEvent[]>;
  store(tx: Tx, events: readonly AppEvent[]): Promise<void>;
  kick(): void;
}

/** Notices go the way of every event, as if the service that has the thing had named whom it goes to. */
export function noticesOfApps({ prepare, store, kick }: AppEvents): AppNotices {
  return {
    prepare: async (notices) =>
      notices.length === 0 ? [] : await prepare(notices.map(({ notice, app }) => eventOf(notice, app))),
    store,
    committed: kick,
  };
}

function eventOf({ id, at, ...notice }: Notice, app: string): Event {
  const { person, about, title, body, link, kind, item } = notice;
  return create(EventSchema, {
    id: printId('evt', id),
    at: timestampFromDate(at),
    data: {
      case: 'personNotified',
      value: { person, about: about ?? '', title, body, link, kind, item, apps: [app] },
    },
  });
}
