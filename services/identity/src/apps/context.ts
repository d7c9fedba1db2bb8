import type { Idempotency } from '@hearth/idempotency';
import type { HostParts } from '@hearth/runtime';
import type { Rotations } from '../shared/actions/secret-again.ts';
import type { AppSecrets } from './actions/app-secrets.ts';
import type { TestWebhook } from './actions/test-webhook.ts';

export type Context = HostParts<'http' | 'limiter' | 'sealer'> & {
  secrets: AppSecrets;
  testWebhook: TestWebhook;
  /** create_app by request_id, with the app created. */
  idempotency: Idempotency<{ app: string }>;
  /** rotate_app_key and rotate_signing_secret by request_id. */
  rotations: Rotations;
};
