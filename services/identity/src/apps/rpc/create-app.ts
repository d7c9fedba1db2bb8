import { toBinary } from '@bufbuild/protobuf';
import { cleanLine } from '@hearth/addresses';
import { nowDate } from '@hearth/clock';
import { badField, badRequest, internal } from '@hearth/errors';
import { OutboundError } from '@hearth/guarded-http';
import { type CreateAppRequest, CreateAppRequestSchema } from '@hearth/proto/identity/v1/apps';
import { type RememberedRequest, rememberedRequest } from '@hearth/requests';
import type { Call, Caller } from '@hearth/rpc';
import { recordAppCreated } from '../../shared/actions/metrics.ts';
import { readEmail } from '../../shared/domain/email.ts';
import type { AppsContext } from '../context.ts';
import { insertAppKey } from '../db/app-keys.ts';
import { type AppRow, findApp, insertApp } from '../db/apps.ts';
import { readRedirectUris } from '../domain/app-fields.ts';
import { appChanged } from '../domain/events.ts';
import { toApp } from '../domain/to-app.ts';
import type { AppsHandlers } from '../handlers.ts';

type Wanted = Pick<AppRow, 'name' | 'redirectUris' | 'contactEmail' | 'webhookUrl' | 'minors'>;

/** Makes an app with a key and a signing secret of its own. */
export function createApp(context: AppsContext): AppsHandlers['createApp'] {
  return async (request, call) => {
    const wanted = readWanted(request, context);
    const remembered = remember(request, call.caller);
    const repeated = remembered && (await context.creations.find(remembered));
    if (repeated) return await answerAgain(context, repeated.app, call);

    const made = await makeApp(context, wanted, remembered, call.caller);
    if (made !== null) return made;
    const parallel = remembered && (await context.creations.find(remembered));
    if (!parallel) throw internal('a request_id was taken and is not there');
    return await answerAgain(context, parallel.app, call);
  };
}

function readWanted(request: CreateAppRequest, { http }: AppsContext): Wanted {
  return {
    name: cleanLine(request.name),
    redirectUris: readRedirectUris(request.redirectUris),
    contactEmail: readEmail(request.contactEmail, 'contact_email'),
    webhookUrl: request.webhookUrl === undefined ? null : readWebhookUrl(request.webhookUrl, http),
    minors: request.minors ?? false,
  };
}

/** An address for events, as it may be called; whether somebody answers there shows later. */
export function readWebhookUrl(text: string, http: AppsContext['http']): string {
  try {
    return http.check(text).href;
  } catch (error) {
    throw error instanceof OutboundError ? badField('webhook_url', error.message) : error;
  }
}

function remember(request: CreateAppRequest, caller: Caller): RememberedRequest | undefined {
  const { requestId, ...body } = request;
  if (requestId === undefined) return undefined;
  return rememberedRequest(caller, 'create_app', requestId, toBinary(CreateAppRequestSchema, body));
}

/** The new app with its secrets, or null when a parallel call with the same request_id made it. */
async function makeApp(
  { clock, creations, database, ids, outbox, secrets }: AppsContext,
  wanted: Wanted,
  remembered: RememberedRequest | undefined,
  by: Caller,
) {
  const id = ids.uuid();
  const key = secrets.newKey();
  const signing = secrets.newSigningSecret(id);
  const app: AppRow = {
    ...wanted,
    id,
    eventTypes: [],
    signingSecret: signing.sealed,
    oldSigningSecret: null,
    oldSecretEndsAt: null,
    createdAt: nowDate(clock),
  };
  const rows = [appChanged(outbox, id, ['created'], by)];
  const stored = await database.transaction(async (tx) => {
    if (remembered !== undefined && !(await creations.claim(tx, remembered, { app: id }))) return false;
    await insertApp(tx, app);
    await insertAppKey(tx, { id: ids.uuid(), app: id, hash: key.hash, prefix: key.prefix }, app.createdAt);
    await outbox.announce(tx, rows);
    return true;
  });
  if (!stored) return null;
  outbox.committed(rows);
  recordAppCreated(app);
  return { app: toApp(app), appKey: key.text, signingSecret: signing.text };
}

/** The same app for the same request, without its secrets. */
async function answerAgain({ database }: AppsContext, id: string, call: Call) {
  const app = await findApp(database.db, id);
  if (app === null) {
    throw badRequest('request_id: the app that it made is no more; use another request_id', {
      code: 'request_id_reused',
      field: 'request_id',
    });
  }
  call.answerWith(200);
  return { app: toApp(app) };
}
