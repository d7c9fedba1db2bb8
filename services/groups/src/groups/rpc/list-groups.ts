import { printPlace, readPlace } from '../../shared/domain/cursor.ts';
import { pageSize } from '../../shared/page-size.ts';
import { viewing } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import { findShown, listOfApp, listOfPerson, type Page, type ShownGroup } from '../db/shown-groups.ts';
import { isArchived } from '../domain/ended.ts';
import { toGroup } from '../domain/to-proto.ts';
import type { GroupsHandlers } from './index.ts';

export const listGroups =
  (context: Context): GroupsHandlers['listGroups'] =>
  async (request, { caller }) => {
    const now = context.clock.now();
    const limit = pageSize(context, request.limit);
    const found = await list(context, viewing(caller), {
      archived: request.archived ?? false,
      now: new Date(now),
      after: request.cursor === undefined ? null : readPlace(request.cursor),
      limit: limit + 1,
    });
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    return {
      groups: shown.map((group) => toGroup(group, now)),
      nextCursor:
        found.length > limit && last !== undefined
          ? printPlace({ at: last.listed_at, id: last.id })
          : undefined,
    };
  };

async function list(
  { database: { db } }: Context,
  viewer: ReturnType<typeof viewing>,
  page: Page,
): Promise<ShownGroup[]> {
  if (viewer.person !== null) return await listOfPerson(db, viewer.person, page);
  if (viewer.app !== null) return await listOfApp(db, viewer.app, page);
  if (viewer.group === null || page.after !== null) return [];
  const own = await findShown(db, { id: viewer.group, handle: null }, viewer);
  return own === null || (!page.archived && isArchived(own, page.now.getTime())) ? [] : [own];
}
