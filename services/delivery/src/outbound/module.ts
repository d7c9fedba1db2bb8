import { day } from '@hearth/clock';
import { createGuardedHttp } from '@hearth/guarded-http';
import { sizeOf } from '@hearth/limits';
import { post, startEngine } from '@hearth/outbound';
import { AdminDeliveriesService } from '@hearth/proto/delivery/v1/admin_deliveries';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { AppsService } from '@hearth/proto/identity/v1/apps';
import type { Host } from '@hearth/runtime';
import type { Outbound } from '../shared/domain/outbound.ts';
import type { Context } from './context.ts';
import type { NamedKind } from './db/shown-sends.ts';

/**
 * As many connections and origins as the engine has attempts in flight. Many AIs and apps may share one host
 * of a large platform; those that never answer must not use up the others' connections.
 */
const connections = { maxOrigins: 4_096, socketsPerOrigin: 2_560, requestsPerOrigin: 4_096 } as const;

/** Starts the engine that sends, and the operator's view of it. */
export async function startOutbound(host: Host): Promise<Outbound> {
  const { clock, config, limits } = host;
  const http = createGuardedHttp({ clock, devOrigins: config.devCallbacks, self: config, ...connections });
  host.onStop(() => http.close());
  const engine = startEngine(host, 'delivery');
  const { poke, queue } = engine;
  const kinds: NamedKind[] = [];
  const keptMs = sizeOf(limits, 'app_event_days') * day;
  const context: Context = {
    ...host,
    outbound: { poke },
    kinds,
    apps: host.peer('identity', AppsService),
    ais: host.peer('identity', AisService),
    oldest: () => new Date(clock.now() - keptMs),
  };
  await host.serveRpcs(AdminDeliveriesService, import.meta.url, context);
  return {
    add(kind, shown) {
      engine.add(kind);
      const { name, number } = kind;
      kinds.push({ ...shown, name, number });
    },
    poke,
    queue,
    http,
    post: (posting) => post({ clock, http }, posting),
  };
}
