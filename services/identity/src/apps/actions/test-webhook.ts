import type { Clock } from '@hearth/clock';
import { badField, badRequest } from '@hearth/errors';
import type { GuardedHttp } from '@hearth/guarded-http';
import type { Ids } from '@hearth/ids';
import { sendTestEvent } from '@hearth/webhooks';

/**
 * Sends a signed test event to an address that an app names for its events. It must answer 200 within 10 seconds.
 *
 * @throws bad_request, saying what came back, when it does not
 */
export type TestWebhook = (url: string, secrets: readonly string[]) => Promise<void>;

export function createTestWebhook(tools: {
  http: Pick<GuardedHttp, 'request'>;
  ids: Pick<Ids, 'uuid'>;
  clock: Clock;
}): TestWebhook {
  return async (url, secrets) => {
    const failure = await sendTestEvent(tools, url, secrets);
    if (failure === null) return;
    if (failure.refusedAddress) throw badField('webhook_url', failure.why);
    throw badRequest(`webhook_url: the test event failed (${failure.why}), so nothing was changed`, {
      code: 'callback_challenge_failed',
      field: 'webhook_url',
    });
  };
}
