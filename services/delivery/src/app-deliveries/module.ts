import { day, hour } from '@hearth/clock';
import type { Tx } from '@hearth/db';
import { sizeOf } from '@hearth/limits';
import { AppDeliveriesService } from '@hearth/proto/delivery/v1/app_deliveries';
import type { Event } from '@hearth/proto/events/v1/events';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { AppsService } from '@hearth/proto/identity/v1/apps';
import type { Host } from '@hearth/runtime';
import type { Outbound } from '../shared/domain/outbound.ts';
import { createAppKind } from './actions/app-kind.ts';
import { createApps } from './actions/apps.ts';
import { prepare } from './actions/prepare.ts';
import { appEventTypes, onEvent } from './consumers/on-event.ts';
import type { Context } from './context.ts';
import { type NewAppEvent, storeAppEvents } from './db/app-events.ts';
import { purgeAppEvents } from './db/app-partitions.ts';
import { shownApps } from './db/shown-apps.ts';

/** Events for apps: rendered, stored together with their cause, then sent. */
export interface AppEvents {
  /** Renders events as each app may see them. Calls peers, so call it before opening a transaction. */
  prepare(events: readonly Event[]): Promise<NewAppEvent[]>;
  /** Returns the apps with new due events. */
  store(tx: Tx, rows: readonly NewAppEvent[]): Promise<string[]>;
  /** Wakes the engine for these apps; call it after the commit. */
  poke(apps: readonly string[]): void;
}

/** Sends events to apps by webhook, and serves their event and delivery logs. */
export async function startAppDeliveries(
  host: Host,
  { outbound }: { outbound: Outbound },
): Promise<AppEvents> {
  const { clock, config, database, limits } = host;
  const keptMs = sizeOf(limits, 'app_event_days') * day;
  const context: Context = {
    ...host,
    siteUrl: config.siteUrl,
    outbound,
    http: outbound.http,
    groups: host.peer('groups', GroupsService),
    ais: host.peer('identity', AisService),
    apps: createApps({ ...host, identity: host.peer('identity', AppsService) }),
    oldest: () => new Date(clock.now() - keptMs),
  };
  outbound.add(createAppKind(context), shownApps);
  await host.serveRpcs(AppDeliveriesService, import.meta.url, context);
  await purgeAppEvents(database, clock, keptMs);
  host.every('purge-app-events', hour, () => purgeAppEvents(database, clock, keptMs));
  host.consume({ durable: 'app-events', types: appEventTypes, handle: onEvent(context), inOrder: true });
  return {
    prepare: (events) => prepare(context, events),
    store: (tx, rows) => storeAppEvents(tx, rows, new Date(clock.now())),
    poke: outbound.poke,
  };
}
