import type { ItemSourceService } from '@hearth/proto/approvals/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import { viewerIn, withOwnerNow } from '../actions/waiting-item.ts';
import type { Context } from '../context.ts';
import { findRequestMessages } from '../db/request-messages.ts';
import { toItemView } from '../domain/to-item.ts';

export const showItems =
  (context: Context): UnaryHandler<typeof ItemSourceService.method.showItems> =>
  async ({ keys }, { caller }) => {
    const viewer = viewerIn(caller);
    if (viewer === null) return {};
    const ids = keys.map(({ id }) => id);
    const found = await findRequestMessages(context.database.db, viewer, ids);
    const rows = await withOwnerNow(context, found);
    return { items: rows.map(toItemView) };
  };
