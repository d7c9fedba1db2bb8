import { notFound } from '@hearth/errors';
import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { kindNames } from '../../shared/domain/items.ts';
import { waitingItem } from '../actions/waiting-item.ts';
import type { Context } from '../context.ts';
import { lockWaiting, relabelMessages } from '../db/request-messages.ts';
import { toItem } from '../domain/to-item.ts';

/** Changes the kind of a message and of the other waiting messages in its thread. */
export const relabelItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.relabelItem> =>
  async (request, call) => {
    const kind = kindNames.valueOf(request.label);
    const { viewer, row } = await waitingItem(context, request, call);
    return await context.database.transaction(async (tx) => {
      const rows = await lockWaiting(tx, viewer, row.thread, row.recipient);
      if (rows.length === 0) throw notFound();
      await relabelMessages(tx, rows, kind);
      return { change: { placed: rows.map((each) => toItem({ ...each, counts_as: kind })) } };
    });
  };
