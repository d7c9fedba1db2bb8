import { day, hour } from '@hearth/clock';
import { createGuardedHttp } from '@hearth/guarded-http';
import { sizeOf } from '@hearth/limits';
import { AppsService } from '@hearth/proto/identity/v1/apps';
import { createIdempotency } from '@hearth/requests';
import type { Host } from '@hearth/runtime';
import { purgeEnded } from '../directory/jobs/purge-keys.ts';
import { createAppSecrets } from './actions/app-secrets.ts';
import { createTestWebhook } from './actions/test-webhook.ts';
import { deleteAppKeysEndedBefore } from './db/app-keys.ts';
import { appsHandlers } from './handlers.ts';

/** Apps: they hold people's accounts and act for them. */
export function startApps(host: Host): void {
  const { bus, clock, config, database, ids, limiter, limits, outbox, random, sealer } = host;
  const http = createGuardedHttp({ clock, devOrigins: config.devCallbacks });
  host.onStop(() => http.close());
  host.serve(
    AppsService,
    appsHandlers({
      clock,
      ids,
      database,
      outbox,
      bus,
      limiter,
      limits,
      secrets: createAppSecrets({ ids, random, sealer, clock }),
      http,
      testWebhook: createTestWebhook({ http, ids, clock }),
      creations: createIdempotency({
        database,
        schema: 'identity',
        clock,
        keptForMs: sizeOf(limits, 'request_id_days') * day,
      }),
    }),
  );
  host.every('purge of ended keys of apps', hour, () =>
    purgeEnded(database, clock, deleteAppKeysEndedBefore),
  );
}
