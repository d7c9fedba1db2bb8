import type { Bus } from '@hearth/bus';
import type { Clock } from '@hearth/clock';
import type { Database } from '@hearth/db';
import type { GuardedHttp } from '@hearth/guarded-http';
import type { Ids } from '@hearth/ids';
import type { Limiter, Limits } from '@hearth/limits';
import type { Outbox } from '@hearth/outbox';
import type { Idempotency } from '@hearth/requests';
import type { AppSecrets } from './actions/app-secrets.ts';
import type { TestWebhook } from './actions/test-webhook.ts';

/** What the rpcs of apps work with. */
export interface AppsContext {
  clock: Clock;
  ids: Ids;
  database: Database;
  outbox: Outbox;
  bus: Pick<Bus, 'signal'>;
  limiter: Pick<Limiter, 'consume'>;
  limits: Limits;
  secrets: AppSecrets;
  http: Pick<GuardedHttp, 'check'>;
  testWebhook: TestWebhook;
  /** create_app by its request_id: the app that it made. */
  creations: Idempotency<{ app: string }>;
}
