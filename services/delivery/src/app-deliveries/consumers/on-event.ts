import { timestampMs } from '@bufbuild/protobuf/wkt';
import { parseId } from '@hearth/ids';
import type { Event } from '@hearth/proto/events/v1/events';
import type { ReceivedEvent } from '@hearth/runtime';
import { audiences } from '../../events/module.ts';
import { enableApp } from '../../shared/db/app-streams.ts';
import { recordAppEvent } from '../actions/metrics.ts';
import { prepare } from '../actions/prepare.ts';
import type { Context } from '../context.ts';
import {
  confirmAppEvents,
  forgetGroups,
  parkApp,
  storeAppEvents,
  takeAddressChange,
} from '../db/app-events.ts';

/** Comes from notices, which knows whether the person was already notified about the same thing. */
const sentByNotices = 'person_notified';

/** The events that apps receive, and those that change how apps receive them. */
export const appEventTypes = [
  ...audiences.app.types.filter((type) => type !== sentByNotices),
  'app_changed',
  'deletion_confirmed',
];

/** Rows written in one statement. */
const atOnce = 500;

/** Stores events for the apps that they concern, as each app may see them; idempotent. */
export const onEvent =
  (context: Context) =>
  async (received: ReceivedEvent[]): Promise<void> => {
    const { clock, database, outbound } = context;
    const events = received.map(({ event }) => event);
    for (const event of events) await followApp(context, event);
    const rows = await prepare(context, events);
    for (let from = 0; from < rows.length; from += atOnce) {
      const some = rows.slice(from, from + atOnce);
      const due = await database.statement((tx) => storeAppEvents(tx, some, new Date(clock.now())));
      if (due.length > 0) outbound.poke(due);
    }
    for (const { type, send } of rows) recordAppEvent({ type, sent: send });
    await end(context, events);
  };

const timeOf = ({ at }: Event) => (at === undefined ? 0 : timestampMs(at));

/** Changes that may give an app an address or take it away: a suspended app has none. */
const ofAddress = new Set(['webhook_url', 'suspended', 'restored']);

/**
 * Drops a changed app from every process's cache, and parks or enables its sends, before any event is
 * rendered for it.
 */
async function followApp({ apps, clock, commit, outbound }: Context, event: Event): Promise<void> {
  const { data } = event;
  if (data.case !== 'appChanged') return;
  const { app: id, changed } = data.value;
  apps.forget(id);
  const url = changed.some((field) => ofAddress.has(field)) ? ((await apps.find(id))?.url ?? '') : null;
  await commit(async (tx) => {
    if (url !== null && (await takeAddressChange(tx, id, new Date(timeOf(event)))))
      await (url === '' ? parkApp(tx, id) : enableApp(tx, id, new Date(clock.now()), true));
    tx.signal('apps', id);
  });
  if (url) outbound.poke([id]);
}

/** Removes state that an event ends: an account deletion that was confirmed, a group that was deleted. */
async function end({ database }: Context, events: readonly Event[]): Promise<void> {
  const confirmed = events.flatMap(({ data }) => {
    if (data.case !== 'deletionConfirmed') return [];
    const event = parseId('evt', data.value.event);
    return event === null ? [] : [{ app: data.value.app, event }];
  });
  if (confirmed.length > 0) await database.statement((tx) => confirmAppEvents(tx, confirmed));
  const groups = events.flatMap(({ data }) =>
    data.case === 'groupDeleted' && data.value.group !== undefined ? [data.value.group.id] : [],
  );
  if (groups.length > 0) await database.statement((tx) => forgetGroups(tx, groups));
}
