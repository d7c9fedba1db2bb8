import type { AgreementsService } from '@hearth/proto/decisions/v1/agreements';
import type { UnaryHandler } from '@hearth/rpc';
import { listBoth } from '../../shared/actions/list-both.ts';
import { showCopy } from '../actions/copied.ts';
import { showAgreement } from '../actions/show-agreements.ts';
import type { Context } from '../context.ts';
import { listSeen } from '../db/agreements.ts';
import { statuses } from '../domain/enum-names.ts';

/** Lists the agreements that the caller has a seat at, newest first. */
export const listAgreements =
  (context: Context): UnaryHandler<typeof AgreementsService.method.listAgreements> =>
  async (request, { caller }) => {
    const by = { viewer: caller.id, status: statuses.nameOf(request.status ?? 0) || null };
    const { rows, nextCursor } = await listBoth(context, request, by, (...listed) =>
      listSeen(context.database.db, ...listed),
    );
    const agreements = rows.map((row) =>
      'message' in row ? showCopy(row, caller) : showAgreement(context, row, caller),
    );
    return { agreements, nextCursor };
  };
