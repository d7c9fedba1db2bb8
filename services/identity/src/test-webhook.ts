import type { Clock } from '@hearth/clock';
import { second } from '@hearth/clock';
import { badField, badRequest, type HearthError } from '@hearth/errors';
import { type GuardedHttp, OutboundError } from '@hearth/guarded-http';
import { type Ids, printId } from '@hearth/ids';
import { signSvc, svcSignatureHeader } from '@hearth/webhooks';
import { recordWebhookTest } from './metrics.ts';

/**
 * Sends a signed test event to an address that an app names for its events. It must answer 200 within 10 seconds.
 *
 * @throws bad_request, saying what came back, when it does not
 */
export type TestWebhook = (url: string, secrets: readonly string[]) => Promise<void>;

const timeoutMs = 10 * second;
const maxAnswerBytes = 65_536;

export function createTestWebhook(options: {
  http: Pick<GuardedHttp, 'request'>;
  ids: Pick<Ids, 'uuid'>;
  clock: Clock;
}): TestWebhook {
  const { http, ids, clock } = options;

  async function send(url: string, secrets: readonly string[]): Promise<number> {
    const now = clock.now();
    const event = {
      id: printId('evt', ids.uuid()),
      type: 'test',
      at: new Date(now).toISOString(),
      data: {},
    };
    const body = JSON.stringify(event);
    const { status } = await http.request({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        [svcSignatureHeader]: signSvc(secrets, Math.floor(now / second), body),
      },
      body,
      timeoutMs,
      maxResponseBytes: maxAnswerBytes,
    });
    return status;
  }

  return async (url, secrets) => {
    try {
      const status = await send(url, secrets);
      if (status !== 200) throw failed(`it was answered with status ${status} instead of 200`);
      recordWebhookTest({ passed: true });
    } catch (error) {
      recordWebhookTest({ passed: false });
      if (!(error instanceof OutboundError)) throw error;
      throw error.category === 'refused_address'
        ? badField('webhook_url', error.message)
        : failed(error.message);
    }
  };
}

function failed(why: string): HearthError {
  return badRequest(`webhook_url: the test event failed (${why}), so nothing was changed`, {
    code: 'callback_challenge_failed',
    field: 'webhook_url',
  });
}
