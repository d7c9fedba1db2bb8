import { day } from '@hearth/clock';
import { sizeOf } from '@hearth/limits';
import type { People } from '@hearth/people';
import { AdminDeliveriesService } from '@hearth/proto/delivery/v1/admin_deliveries';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { AppsService } from '@hearth/proto/identity/v1/apps';
import type { Host } from '@hearth/runtime';
import type { Outbound } from '../outbound/actions/engine.ts';
import { adminDeliveriesHandlers } from './rpc/index.ts';

/** What the operator sees of all that is sent, and sets going again. */
export function startAdminDeliveries(host: Host, outbound: Outbound, people: People): void {
  const { clock, database, ids, limits, outbox } = host;
  host.serve(
    AdminDeliveriesService,
    adminDeliveriesHandlers({
      clock,
      database,
      ids,
      limits,
      outbound,
      outbox,
      people,
      apps: host.peer('identity', AppsService),
      ais: host.peer('identity', AisService),
      keptMs: sizeOf(limits, 'app_event_days') * day,
    }),
  );
}
