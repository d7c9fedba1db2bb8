import { timestampDate } from '@bufbuild/protobuf/wkt';
import { pageSize } from '@hearth/paging';
import type { ActivityService } from '@hearth/proto/delivery/v1/activity';
import { type Call, type Caller, personOf, type UnaryHandler } from '@hearth/rpc';
import { findBy, findGroup } from '../actions/find-filters.ts';
import { createShow } from '../actions/show-activity.ts';
import type { Context } from '../context.ts';
import type { ActivityRow } from '../db/activity.ts';
import { listActivity as readActivity } from '../db/list-activity.ts';
import { printCursor, readCursor } from '../domain/cursor.ts';

const nothing = { activity: [], nextCursor: undefined };

export const listActivity =
  (context: Context): UnaryHandler<typeof ActivityService.method.listActivity> =>
  async (request, call) => {
    const { caller } = call;
    const { limits, database, sealer } = context;
    const before = request.cursor === undefined ? null : readCursor(sealer, caller.id, request.cursor);
    const by = await findBy(context, request.by, caller);
    const group = request.group === undefined ? null : await findGroup(context, request.group, call);
    if (by === null || (request.group !== undefined && group === null)) return nothing;

    const { rows, next } = await readActivity(database.db, {
      ...(await listsOf(context, call)),
      person: personOf(caller),
      group,
      ...by,
      action: request.action ?? null,
      since: request.since === undefined ? null : timestampDate(request.since),
      before,
      limit: pageSize(limits, request.limit),
    });
    const show = await createShow(context, caller, rows);
    // A filter by one AI must not reveal its owner: the AI's acts are listed under the owner's shielded id
    // only.
    const tellsWhose = (row: ActivityRow) =>
      row.actor !== by.actor || row.actor === row.actorPerson || !show.hides(row);
    const kept = by.actor === null ? rows : rows.filter(tellsWhose);
    return {
      activity: kept.map(show.row),
      nextCursor:
        next === null || kept.length < rows.length ? undefined : printCursor(sealer, caller.id, next),
    };
  };

/** Returns the owners of the lists that the caller sees: the caller, their person, and the person's current groups. */
async function listsOf(
  { groups }: Pick<Context, 'groups'>,
  call: Call,
): Promise<{ viewer: string[]; own: string[] }> {
  const { caller } = call;
  const person = personOf(caller);
  const own = ownLists(caller, person);
  if (person === null) return { viewer: own, own };
  const { groups: joined } = await groups.listGroupIds({ person }, { call });
  return { viewer: [...own, ...joined.map(({ id }) => id)], own };
}

function ownLists({ id, group }: Caller, person: string | null): string[] {
  return [...new Set([id, person ?? '', group].filter((list) => list !== ''))];
}
