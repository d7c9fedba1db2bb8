import { placeCursor, readPage } from '@hearth/paging';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { UnaryHandler } from '@hearth/rpc';
import { viewerOf } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import {
  findShown,
  listOfApp,
  listOfPerson,
  type Page,
  type ShownGroup,
  type Viewer,
} from '../db/shown-groups.ts';
import { isArchived } from '../domain/ended.ts';
import { toGroup } from '../domain/to-proto.ts';

export const listGroups =
  (context: Context): UnaryHandler<typeof GroupsService.method.listGroups> =>
  async (request, { caller }) => {
    const now = context.clock.now();
    const viewer = viewerOf(caller);
    const { archived = false } = request;
    const { rows, nextCursor } = await readPage(context, request, {
      cursor: placeCursor,
      find: (after, limit) => list(context, viewer, { archived, now: new Date(now), after, limit }),
      placeOf: (row) => ({ at: row.listed_at, id: row.id }),
    });
    return { groups: rows.map((group) => toGroup(group, now)), nextCursor };
  };

async function list({ database: { db } }: Context, viewer: Viewer, page: Page): Promise<ShownGroup[]> {
  if (viewer.person !== null) return await listOfPerson(db, viewer.person, page);
  if (viewer.app !== null) return await listOfApp(db, viewer.app, page);
  if (viewer.group === null || page.after !== null) return [];
  const own = await findShown(db, { id: viewer.group, handle: null }, viewer);
  return own === null || (!page.archived && isArchived(own, page.now.getTime())) ? [] : [own];
}
