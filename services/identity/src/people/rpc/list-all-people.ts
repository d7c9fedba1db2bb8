import { nowDate } from '@hearth/clock';
import { parseId } from '@hearth/ids';
import { cursorOf, readPage } from '@hearth/paging';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import { listAllPeople as listRows } from '../../shared/db/people.ts';
import type { Context } from '../context.ts';
import { toOperator } from '../domain/to-operator.ts';

/** All people of this home, for the operator. */
export const listAllPeople =
  (context: Context): UnaryHandler<typeof PeopleService.method.listAllPeople> =>
  async (request) => {
    const { app, guest, deleting, suspended } = request;
    const now = nowDate(context.clock);
    const filter = {
      app: app === undefined ? null : parseId('app', app),
      guest: guest ?? null,
      deleting: deleting ?? null,
      suspended: suspended ?? null,
      now,
    };
    const { rows, nextCursor } = await readPage(context, request, {
      cursor: cursorOf({ id: 'uuid' }),
      find: (before, limit) => listRows(context.database.db, filter, before?.id ?? null, limit),
      placeOf: ({ id }) => ({ id }),
    });
    return { people: rows.map((row) => toOperator(row, context.people.toFacts(row), now)), nextCursor };
  };
