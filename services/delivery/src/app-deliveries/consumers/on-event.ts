import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@hearth/clock';
import type { Database } from '@hearth/db';
import { parseId } from '@hearth/ids';
import type { Event } from '@hearth/proto/events/v1/events';
import type { Heard } from '@hearth/runtime';
import type { Outbound } from '../../outbound/actions/engine.ts';
import { enableApp, shelveApp } from '../../shared/db/app-streams.ts';
import type { Apps } from '../actions/apps.ts';
import { recordAppEvent } from '../actions/metrics.ts';
import { type PrepareContext, prepare } from '../actions/prepare.ts';
import { confirmAppEvents, forgetGroups, storeAppEvents } from '../db/app-events.ts';
import { selectedTypes } from '../domain/select.ts';

export interface RecordContext extends PrepareContext {
  apps: Apps;
  clock: Clock;
  database: Database;
  outbound: Pick<Outbound, 'kick'>;
}

/** Told by the part that knows when somebody was told of the same before. */
const toldOtherwise = 'person_notified';

/** What apps are told of, and what changes how they are told. */
export const appEventTypes = [
  ...selectedTypes.filter((type) => type !== toldOtherwise),
  'app_changed',
  'deletion_confirmed',
];

/** So many are written by one statement. */
const atOnce = 500;

/** Writes what happened for the apps that it concerns, as each may see it, once however often it is heard. */
export async function recordAppEvents(context: RecordContext, heard: Heard[]): Promise<void> {
  const { clock, database, outbound } = context;
  const events = heard.map(({ event }) => event).sort((one, other) => momentOf(one) - momentOf(other));
  for (const event of events) await followApp(context, event);
  const rows = await prepare(context, events);
  for (let from = 0; from < rows.length; from += atOnce) {
    const some = rows.slice(from, from + atOnce);
    const due = await database.statement((tx) => storeAppEvents(tx, some, new Date(clock.now())));
    if (due.length > 0) outbound.kick(due);
  }
  for (const { type, send } of rows) recordAppEvent({ type, sent: send });
  await end(context, events);
}

const momentOf = ({ at }: Event) => (at === undefined ? 0 : timestampMs(at));

/** An app that changed is looked up anew, before anything is made for it. */
async function followApp({ apps, clock, database, outbound }: RecordContext, { data }: Event): Promise<void> {
  if (data.case !== 'appChanged') return;
  const { app: id, changed } = data.value;
  apps.changed(id);
  if (!changed.includes('webhook_url')) return;
  const url = (await apps.find(id))?.url ?? '';
  await database.transaction((tx) =>
    url === '' ? shelveApp(tx, id) : enableApp(tx, id, new Date(clock.now()), true),
  );
  if (url !== '') outbound.kick([id]);
}

/** What ends something that was told before. */
async function end({ database }: RecordContext, events: readonly Event[]): Promise<void> {
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
