import { placeCursor, readPage } from '@hearth/paging';
import type { AgreementsService } from '@hearth/proto/decisions/v1/agreements';
import type { UnaryHandler } from '@hearth/rpc';
import { showAgreement } from '../actions/show-agreements.ts';
import type { Context } from '../context.ts';
import { listSeen } from '../db/agreements.ts';
import { statuses } from '../domain/enum-names.ts';

/** The agreements that the caller has a seat at, the newest first. */
export const listAgreements =
  (context: Context): UnaryHandler<typeof AgreementsService.method.listAgreements> =>
  async (request, { caller }) => {
    const { database } = context;
    const listed = {
      viewer: caller.id,
      status: statuses.nameOf(request.status ?? 0) || null,
      waiting: request.waitingOn === 'me',
      group: null,
    };
    const { rows, nextCursor } = await readPage(context, request, {
      cursor: placeCursor,
      find: (after, limit) => listSeen(database.db, listed, after, limit),
      placeOf: ({ started_at, id }) => ({ at: started_at, id }),
    });
    return { agreements: rows.map((row) => showAgreement(context, row, caller)), nextCursor };
  };
