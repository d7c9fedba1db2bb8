import { nowDate } from '@hearth/clock';
import { placeCursor, readPage } from '@hearth/paging';
import type { RequestsService } from '@hearth/proto/approvals/v1/requests';
import type { UnaryHandler } from '@hearth/rpc';
import { kindNameOf, requestKinds } from '../../shared/domain/request-kinds.ts';
import { showItems } from '../actions/show-items.ts';
import { viewing } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import { listItems } from '../db/items.ts';

/** The items of all sources in one list, newest first. */
export const listRequests =
  (context: Context): UnaryHandler<typeof RequestsService.method.listRequests> =>
  async (request, call) => {
    const { clock, database } = context;
    const viewer = viewing(call.caller);
    if (viewer === null) return { requests: [] };
    const labels = request.kind ? [kindNameOf(request.kind)] : requestKinds;
    const { rows, nextCursor } = await readPage(context, request, {
      cursor: placeCursor,
      find: (before, limit) => listItems(database.db, viewer, { labels, now: nowDate(clock), before, limit }),
      placeOf: ({ since: at, id }) => ({ at, id }),
    });
    return { requests: await showItems(context, rows, call), nextCursor };
  };
