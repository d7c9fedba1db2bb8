import { badField, badRequest, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { type Caller, callerKinds } from '@hearth/rpc';
import { findAppDelivery, type WholeAppDeliveryRow } from '../../shared/db/app-deliveries.ts';
import { type DisabledWhy, findAppStream } from '../../shared/db/app-streams.ts';
import type { Context } from '../context.ts';
import type { KnownApp } from './apps.ts';

/** Returns the uuid of the app that calls for itself. @throws bad_request if the app acts for a person */
export function callingApp({ app, kind }: Caller): string {
  if (kind === callerKinds.APP) return app;
  throw badField('Svc-Acting-For', "this is the app's own matter; leave the header out");
}

/** Returns the app, read past the cache. @throws bad_request if it has no webhook address */
export async function withAddress({ apps }: Pick<Context, 'apps'>, id: string): Promise<KnownApp> {
  const app = await apps.fetch(id);
  if (app !== null && app.url !== '') return app;
  throw badRequest('the app has no webhook address; give it one with PATCH /v0/app first', {
    code: 'bad_field',
    field: 'webhook_url',
  });
}

/** Checks that the app's address can be sent to. @throws bad_request with the reason if it cannot */
export async function requireEnabled(context: Context, id: string): Promise<void> {
  await withAddress(context, id);
  const stream = await findAppStream(context.database.db, id);
  if (!stream?.disabledAt) return;
  throw badRequest(
    `the webhook address is disabled, because ${reasons[stream.disabledWhy ?? 'failing']}; see that it works, then POST /v0/app/webhook/test`,
    { code: 'callback_challenge_failed', field: 'webhook_url' },
  );
}

const reasons: Readonly<Record<DisabledWhy, string>> = {
  gone: 'it answered 410',
  failing: 'nothing but failures came from it',
};

/** Returns an event (evt_) of the app. @throws not_found */
export async function findEvent(
  { database, oldest }: Context,
  app: string,
  event: string,
): Promise<WholeAppDeliveryRow> {
  const id = parseId('evt', event);
  const row = id === null ? null : await findAppDelivery(database.db, app, id, oldest());
  if (row === null) throw notFound();
  return row;
}
