import type { Clock } from '@hearth/clock';
import type { Database } from '@hearth/db';
import { badField, badRequest, type HearthError } from '@hearth/errors';
import type { GuardedHttp } from '@hearth/guarded-http';
import type { Ids } from '@hearth/ids';
import type { Limiter, Limits } from '@hearth/limits';
import type { People } from '@hearth/people';
import { type Caller, callerKinds } from '@hearth/rpc';
import type { Logger } from '@hearth/telemetry';
import type { Outbound } from '../outbound/actions/engine.ts';
import { type DisabledWhy, findAppStream } from '../shared/db/app-streams.ts';
import type { Apps, KnownApp } from './actions/apps.ts';

/** What the rpcs of apps' deliveries work with. */
export interface AppDeliveriesContext {
  apps: Pick<Apps, 'find' | 'look'>;
  clock: Clock;
  database: Database;
  http: Pick<GuardedHttp, 'request'>;
  ids: Pick<Ids, 'uuid'>;
  /** How long events are kept. */
  keptMs: number;
  limiter: Pick<Limiter, 'consume'>;
  limits: Limits;
  log: Logger;
  outbound: Pick<Outbound, 'kick'>;
  people: Pick<People, 'findOne'>;
}

/** uuid of the app that calls for itself. @throws bad_request for one that acts for somebody */
export function callingApp({ app, kind }: Caller): string {
  if (kind === callerKinds.APP) return app;
  throw badField('Svc-Acting-For', "this is the app's own matter; leave the header out");
}

/** Nothing older is kept, whether a job has removed it yet or not. */
export function oldest({ clock, keptMs }: Pick<AppDeliveriesContext, 'clock' | 'keptMs'>): Date {
  return new Date(clock.now() - keptMs);
}

/** The calling app, as it is at this moment, which must have an address. @throws bad_request */
export async function withAddress(context: AppDeliveriesContext, id: string): Promise<KnownApp> {
  const app = await context.apps.look(id);
  if (app !== null && app.url !== '') return app;
  throw badRequest('the app has no webhook address; give it one with PATCH /v0/app first', {
    code: 'bad_field',
    field: 'webhook_url',
  });
}

/** Sending again what would not be sent is refused in words. @throws bad_request */
export async function requireEnabled(context: AppDeliveriesContext, id: string): Promise<void> {
  await withAddress(context, id);
  const stream = await findAppStream(context.database.db, id);
  if (stream?.disabledAt) throw disabled(stream.disabledWhy ?? 'failing');
}

const reasons: Readonly<Record<DisabledWhy, string>> = {
  gone: 'it answered 410',
  failing: 'nothing but failures came from it',
};

function disabled(why: DisabledWhy): HearthError {
  return badRequest(
    `the webhook address is disabled, because ${reasons[why]}; see that it works, then POST /v0/app/webhook/test`,
    { code: 'callback_challenge_failed', field: 'webhook_url' },
  );
}
