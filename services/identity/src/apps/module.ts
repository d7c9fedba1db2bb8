import { minute } from '@hearth/clock';
import { AppsService } from '@hearth/proto/identity/v1/apps';
import type { Host } from '@hearth/runtime';
import { endedIn, keysKeptMs } from '../shared/db/ended-rows.ts';
import { createAppSecrets } from './actions/app-secrets.ts';
import { createTestWebhook } from './actions/test-webhook.ts';
import type { Context } from './context.ts';
import { nextRestoredApp } from './db/apps.ts';
import { endSuspensions } from './jobs/end-suspensions.ts';

/** Apps, which hold people's accounts and act for them. */
export async function startApps(host: Host): Promise<void> {
  const context: Context = {
    ...host,
    secrets: createAppSecrets(host),
    testWebhook: createTestWebhook(host),
    idempotency: host.idempotency(),
    rotations: host.idempotency(),
  };
  for (const column of ['signing_secret', 'old_signing_secret']) {
    host.sealed({ table: 'apps', column, context: "'app.signing_secret:' || id" });
  }
  await host.serveRpcs(AppsService, import.meta.url, context);
  host.whenDue('end-suspensions-of-apps', minute, { sql: nextRestoredApp }, () => endSuspensions(context));
  host.purge('purge-app-keys', [keysKeptMs, endedIn('app_keys')]);
}
