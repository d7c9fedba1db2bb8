import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { parseId, printId } from '@hearth/ids';
import { cursorOf, readPage } from '@hearth/paging';
import { isMinor, shortenName } from '@hearth/people';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { UnaryHandler } from '@hearth/rpc';
import { listAllPeople as listRows, type PersonRow } from '../../shared/db/people.ts';
import type { Context } from '../context.ts';

/** Every person of the home, for its operator. */
export const listAllPeople =
  (context: Context): UnaryHandler<typeof PeopleService.method.listAllPeople> =>
  async (request) => {
    const { app, guest, deleting } = request;
    const filter = {
      app: app === undefined ? null : parseId('app', app),
      guest: guest ?? null,
      deleting: deleting ?? null,
    };
    const { rows, nextCursor } = await readPage(context, request, {
      cursor: cursorOf({ id: 'uuid' }),
      find: (before, limit) => listRows(context.database.db, filter, before?.id ?? null, limit),
      placeOf: ({ id }) => ({ id }),
    });
    return { people: rows.map((row) => toOperator(context, row)), nextCursor };
  };

function toOperator({ people }: Context, row: PersonRow) {
  const facts = people.toFacts(row);
  const minor = isMinor(facts);
  return {
    id: printId('per', row.id),
    handle: minor ? undefined : facts.handle,
    name: minor ? shortenName(facts.name) : facts.name,
    ageBand: facts.ageBand,
    guest: facts.guest,
    app: row.app === null ? undefined : printId('app', row.app),
    createdAt: timestampFromDate(row.createdAt),
    deletesAt: row.deletesAt === null ? undefined : timestampFromDate(row.deletesAt),
  };
}
