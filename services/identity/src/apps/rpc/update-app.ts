import { cleanLine } from '@hearth/addresses';
import type { AppsService, UpdateAppRequest } from '@hearth/proto/identity/v1/apps';
import type { UnaryHandler } from '@hearth/rpc';
import { appEventTypes } from '@hearth/webhooks';
import { readWebhookUrl } from '../actions/read-webhook-url.ts';
import type { Context } from '../context.ts';
import { type AppRow, findApp, lockApp, updateApp as storeApp } from '../db/apps.ts';
import { readEventTypes, readRedirectUris } from '../domain/app-fields.ts';
import { appGone, callingApp } from '../domain/calling-app.ts';
import { appChanged } from '../domain/events.ts';
import { toApp } from '../domain/to-app.ts';

/** The fields that an app can change. */
type Changes = Partial<Pick<AppRow, 'name' | 'redirectUris' | 'webhookUrl' | 'eventTypes'>>;

const fieldNames: Readonly<Record<keyof Changes, string>> = {
  name: 'name',
  redirectUris: 'redirect_uris',
  webhookUrl: 'webhook_url',
  eventTypes: 'event_types',
};

/** Changes the calling app. A new webhook URL is tested first. */
export const updateApp =
  (context: Context): UnaryHandler<typeof AppsService.method.updateApp> =>
  async (request, { caller }) => {
    const id = callingApp(caller);
    const changes = readChanges(request, context);
    if (changes.webhookUrl) await tryWebhook(context, id, changes.webhookUrl);
    const app = await context.commit(async (tx) => {
      const present = await lockApp(tx, id);
      if (present === null) throw appGone();
      const changed = changedFields(present, changes);
      const next = { ...present, ...changes };
      if (changed.length === 0) return next;
      await storeApp(tx, id, next);
      tx.announce(appChanged(id, changed, caller));
      tx.signal('credentials', id);
      return next;
    });
    return toApp(app);
  };

function readChanges(request: UpdateAppRequest, context: Context): Changes {
  const { name, redirectUris, webhookUrl, eventTypes } = request;
  return {
    ...(name !== undefined && { name: cleanLine(name) }),
    ...(redirectUris.length > 0 && { redirectUris: readRedirectUris(redirectUris) }),
    ...(webhookUrl !== undefined && {
      webhookUrl: webhookUrl === '' ? null : readWebhookUrl(webhookUrl, context),
    }),
    ...(eventTypes.length > 0 && { eventTypes: readEventTypes(eventTypes, appEventTypes) }),
  };
}

/** Runs before the transaction, which must not wait for the network. */
async function tryWebhook(context: Context, id: string, url: string): Promise<void> {
  const { database, limiter, secrets, testWebhook } = context;
  const present = await findApp(database.db, id);
  if (present === null) throw appGone();
  if (present.webhookUrl === url) return;
  // Rate-limited: otherwise an app could make this home call a third party's server without end.
  await limiter.consume('webhook_tests_an_hour', id, 'app');
  await testWebhook(url, secrets.signingSecrets(present));
}

function changedFields(present: AppRow, changes: Changes): string[] {
  const given = Object.keys(changes) as (keyof Changes)[];
  return given
    .filter((field) => JSON.stringify(present[field]) !== JSON.stringify(changes[field]))
    .map((field) => fieldNames[field]);
}
