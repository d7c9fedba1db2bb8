import { day } from '@hearth/clock';
import { sizeOf } from '@hearth/limits';
import { AdminDeliveriesService } from '@hearth/proto/delivery/v1/admin_deliveries';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { AppsService } from '@hearth/proto/identity/v1/apps';
import type { Host } from '@hearth/runtime';
import type { Context } from './context.ts';

/** The operator sees all that is sent, and sets it going again. */
export async function startAdminDeliveries(
  host: Host,
  deps: Pick<Context, 'outbound' | 'resumeSubscription'>,
): Promise<void> {
  const keptMs = sizeOf(host.limits, 'app_event_days') * day;
  const context: Context = {
    ...host,
    ...deps,
    apps: host.peer('identity', AppsService),
    ais: host.peer('identity', AisService),
    oldest: () => new Date(host.clock.now() - keptMs),
  };
  await host.serveRpcs(AdminDeliveriesService, import.meta.url, context);
}
