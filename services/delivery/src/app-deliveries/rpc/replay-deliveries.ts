import { badField } from '@hearth/errors';
import type { AppDeliveriesService } from '@hearth/proto/delivery/v1/app_deliveries';
import type { UnaryHandler } from '@hearth/rpc';
import { readType } from '../../shared/actions/read-type.ts';
import { replay, spanOf } from '../../shared/actions/replay.ts';
import { callingApp, requireEnabled } from '../actions/find-app.ts';
import type { Context } from '../context.ts';

/** Replays the events of a time span; without types, those that the app subscribed to. */
export const replayDeliveries =
  (context: Context): UnaryHandler<typeof AppDeliveriesService.method.replayDeliveries> =>
  async ({ since, until, types, status }, { caller }) => {
    const id = callingApp(caller);
    const asked = types.map((type) => readType('types', type));
    if (since === undefined) throw badField('since', 'is needed');
    await requireEnabled(context, id);
    const app = await context.apps.find(id);
    const usual = app === null ? [] : app.types;
    const span = { since, until, status, types: asked.length === 0 ? usual : asked };
    return { replayed: await replay(context, spanOf(context, id, span)) };
  };
