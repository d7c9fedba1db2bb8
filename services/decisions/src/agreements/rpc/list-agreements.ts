import { newestOf, placeCursor, readPage } from '@hearth/paging';
import type { AgreementsService } from '@hearth/proto/decisions/v1/agreements';
import type { UnaryHandler } from '@hearth/rpc';
import { showCopy } from '../actions/on-copy.ts';
import { showAgreement } from '../actions/show-agreements.ts';
import type { Context } from '../context.ts';
import { type AgreementRow, listSeen } from '../db/agreements.ts';
import { statuses } from '../domain/enum-names.ts';

/** The agreements that the caller has a seat at, the newest first. */
export const listAgreements =
  (context: Context): UnaryHandler<typeof AgreementsService.method.listAgreements> =>
  async (request, { caller }) => {
    const { copies, database } = context;
    const listed = {
      viewer: caller.id,
      status: statuses.nameOf(request.status ?? 0) || null,
      waiting: request.waitingOn === 'me',
      group: null,
    };
    const { rows, nextCursor } = await readPage(context, request, {
      cursor: placeCursor,
      async find(after, limit) {
        const [own, others] = await Promise.all([
          listSeen(database.db, listed, after, limit),
          copies.list({ ...listed, viewers: [caller.id] }, after, limit),
        ]);
        return newestOf<Listed>(placeOf, limit, own, others);
      },
      placeOf,
    });
    return {
      agreements: rows.map((row) =>
        'message' in row ? showCopy(row, caller) : showAgreement(context, row, caller),
      ),
      nextCursor,
    };
  };

type Listed = AgreementRow | Parameters<typeof showCopy>[0];

const placeOf = ({ started_at, id }: Listed) => ({ at: started_at, id });
