import { badRequest } from '@hearth/errors';
import { sendTestEvent } from '@hearth/webhooks';
import { enableApp } from '../../shared/db/app-streams.ts';
import { type AppDeliveriesContext, callingApp, withAddress } from '../context.ts';
import type { AppDeliveriesHandlers } from './index.ts';

/** Sends a signed test event to the calling app. An address that passes is used again. */
export const testWebhook =
  (context: AppDeliveriesContext): AppDeliveriesHandlers['testWebhook'] =>
  async (_request, { caller }) => {
    const id = callingApp(caller);
    const { clock, database, limiter, outbound } = context;
    const app = await withAddress(context, id);
    await limiter.consume('webhook_tests_an_hour', id, 'app');
    const failure = await sendTestEvent(context, app.url, app.secrets);
    if (failure !== null) {
      throw badRequest(`webhook_url: the test event failed (${failure.why})`, {
        code: 'callback_challenge_failed',
        field: 'webhook_url',
      });
    }
    await database.transaction((tx) => enableApp(tx, id, new Date(clock.now()), false));
    outbound.kick([id]);
    return { delivered: true };
  };
