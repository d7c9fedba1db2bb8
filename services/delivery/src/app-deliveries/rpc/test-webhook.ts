import { badRequest } from '@hearth/errors';
import type { AppDeliveriesService } from '@hearth/proto/delivery/v1/app_deliveries';
import type { UnaryHandler } from '@hearth/rpc';
import { sendTestEvent } from '@hearth/webhooks';
import { enableApp } from '../../shared/db/app-streams.ts';
import { callingApp, withAddress } from '../actions/find-app.ts';
import type { Context } from '../context.ts';

/** Sends a signed test event to the calling app. If it passes, a disabled address is enabled again. */
export const testWebhook =
  (context: Context): UnaryHandler<typeof AppDeliveriesService.method.testWebhook> =>
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
    outbound.poke([id]);
    return { delivered: true };
  };
