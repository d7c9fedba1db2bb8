import { badField, badRequest } from '@hearth/errors';
import type { Host } from '@hearth/runtime';
import { sendTestEvent } from '@hearth/webhooks';

/**
 * Sends a signed test event to a webhook URL, which must answer 200 within 10 seconds.
 *
 * @throws bad_request with the reason if it does not
 */
export type TestWebhook = (url: string, secrets: readonly string[]) => Promise<void>;

export function createTestWebhook(host: Pick<Host, 'clock' | 'http' | 'ids'>): TestWebhook {
  return async (url, secrets) => {
    const failure = await sendTestEvent(host, url, secrets);
    if (failure === null) return;
    if (failure.refusedAddress) throw badField('webhook_url', failure.why);
    throw badRequest(`webhook_url: the test event failed (${failure.why}), so nothing was changed`, {
      code: 'callback_challenge_failed',
      field: 'webhook_url',
    });
  };
}
