import type { AppDeliveriesService } from '@hearth/proto/delivery/v1/app_deliveries';
import type { UnaryHandler } from '@hearth/rpc';
import { oneEvent, replay } from '../../shared/actions/replay.ts';
import { callingApp, findEvent, requireEnabled } from '../actions/find-app.ts';
import type { Context } from '../context.ts';

/** Replays an event: same id, new signature. */
export const replayDelivery =
  (context: Context): UnaryHandler<typeof AppDeliveriesService.method.replayDelivery> =>
  async ({ id }, { caller }) => {
    const app = callingApp(caller);
    const row = await findEvent(context, app, id);
    await requireEnabled(context, app);
    return { replayed: await replay(context, oneEvent(app, row)) };
  };
