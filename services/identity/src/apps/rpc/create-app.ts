import { cleanLine } from '@hearth/addresses';
import { nowDate } from '@hearth/clock';
import { type Claim, requestIdUsed } from '@hearth/idempotency';
import { AppsService, type CreateAppRequest } from '@hearth/proto/identity/v1/apps';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import { recordAppCreated } from '../../shared/actions/metrics.ts';
import { insertAppKey } from '../../shared/db/keys.ts';
import { readEmail } from '../../shared/domain/email.ts';
import { readWebhookUrl } from '../actions/read-webhook-url.ts';
import type { Context } from '../context.ts';
import { findApp, insertApp, type NewApp } from '../db/apps.ts';
import { readRedirectUris } from '../domain/app-fields.ts';
import { appChanged } from '../domain/events.ts';
import { toApp } from '../domain/to-app.ts';

type Wanted = Pick<NewApp, 'name' | 'redirectUris' | 'contactEmail' | 'webhookUrl' | 'minors'>;

/** Creates an app with its own key and signing secret. */
export const createApp =
  (context: Context): UnaryHandler<typeof AppsService.method.createApp> =>
  async (request, call) => {
    const wanted = readWanted(request, context);
    return await context.idempotency.once(call, AppsService.method.createApp, request, {
      make: (claim) => make(context, wanted, claim, call.caller),
      repeat: ({ app }) => answerAgain(context, app),
    });
  };

function readWanted(request: CreateAppRequest, context: Context): Wanted {
  return {
    name: cleanLine(request.name),
    redirectUris: readRedirectUris(request.redirectUris),
    contactEmail: readEmail(request.contactEmail, 'contact_email'),
    webhookUrl: request.webhookUrl === undefined ? null : readWebhookUrl(request.webhookUrl, context),
    minors: request.minors ?? false,
  };
}

async function make(
  { clock, commit, ids, secrets }: Context,
  wanted: Wanted,
  claim: Claim<{ app: string }>,
  by: Caller,
) {
  const id = ids.uuid();
  const { text, hash, prefix } = secrets.newKey();
  const signing = secrets.newSigningSecret(id);
  const app = {
    ...wanted,
    id,
    eventTypes: [],
    signingSecret: signing.sealed,
    oldSigningSecret: null,
    oldSecretEndsAt: null,
    createdAt: nowDate(clock),
  } satisfies NewApp;
  await commit(async (tx) => {
    await claim(tx, { app: id });
    await insertApp(tx, app);
    await insertAppKey(tx, { id: ids.uuid(), app: id, hash, prefix }, app.createdAt);
    tx.announce(appChanged(id, ['created'], by));
  });
  recordAppCreated(app);
  return { app: toApp(app), appKey: text, signingSecret: signing.text };
}

/** Returns the app without its secrets, which only the first answer shows. */
async function answerAgain({ database }: Context, id: string) {
  const app = await findApp(database.db, id);
  if (app === null) {
    throw requestIdUsed('the app that it made is no more; use another request_id');
  }
  return { app: toApp(app) };
}
