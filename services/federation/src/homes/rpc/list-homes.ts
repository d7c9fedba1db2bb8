import { enumNames } from '@hearth/enum-names';
import { cursorOf, readPage } from '@hearth/paging';
import { type HomesService, OtherHomeStateSchema } from '@hearth/proto/federation/v1/homes';
import type { UnaryHandler } from '@hearth/rpc';
import { toOtherHome } from '../actions/show-home.ts';
import type { Context } from '../context.ts';
import { listHomes as readHomes } from '../db/shown-homes.ts';

const cursor = cursorOf({ home: 'text' });
const states = enumNames(OtherHomeStateSchema);

/** Sorted by name. */
export const listHomes =
  (context: Context): UnaryHandler<typeof HomesService.method.listHomes> =>
  async (request) => {
    const { clock, database, mode } = context;
    const state = request.status === undefined ? {} : { state: states.nameOf(request.status) };
    const { rows, nextCursor } = await readPage(context, request, {
      cursor,
      find: (after, limit) =>
        readHomes(database.db, {
          ...state,
          ...(after !== null && { after: after.home }),
          now: new Date(clock.now()),
          limit,
        }),
      placeOf: ({ home }) => ({ home }),
    });
    return { homes: rows.map((row) => toOtherHome(row, context, false)), mode, nextCursor };
  };
