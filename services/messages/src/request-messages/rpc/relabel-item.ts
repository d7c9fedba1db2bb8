import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { kindNames } from '../../shared/domain/items.ts';
import { relabelThread } from '../actions/relabel-thread.ts';
import { waitingItem } from '../actions/waiting-message.ts';
import type { Context } from '../context.ts';
import { toItem } from '../domain/to-item.ts';

export const relabelItem =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.relabelItem> =>
  async (request, call) => {
    const kind = kindNames.valueOf(request.label);
    const rows = await relabelThread(context, await waitingItem(context, request, call), kind);
    return { change: { placed: rows.map(toItem) } };
  };
