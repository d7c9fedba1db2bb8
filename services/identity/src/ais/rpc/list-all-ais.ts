import { nowDate } from '@hearth/clock';
import { parseId } from '@hearth/ids';
import { cursorOf, readPage } from '@hearth/paging';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { UnaryHandler } from '@hearth/rpc';
import { type AiFilter, listAllAis as listRows } from '../../shared/db/ais.ts';
import { aiStatuses } from '../../shared/domain/to-proto.ts';
import type { Context } from '../context.ts';
import { stateNameOf, toOperator } from '../domain/to-operator.ts';

/** All AIs of this home, for the operator. */
export const listAllAis =
  (context: Context): UnaryHandler<typeof AisService.method.listAllAis> =>
  async (request) => {
    const { clock, database } = context;
    const now = nowDate(clock);
    const filter: AiFilter = {
      state: stateNameOf(request.state),
      status: request.status ? (aiStatuses.nameOf(request.status) as AiFilter['status']) : null,
      owner: request.owner === undefined ? null : parseId('per', request.owner),
      now,
    };
    const { rows, nextCursor } = await readPage(context, request, {
      cursor: cursorOf({ id: 'uuid' }),
      find: (before, limit) => listRows(database.db, filter, before?.id ?? null, limit),
      placeOf: ({ id }) => ({ id }),
    });
    return { ais: rows.map((ai) => toOperator(ai, now)), nextCursor };
  };
