import type { SeenCopy } from '@hearth/home-acts';
import { newestOf, placeCursor, readPage } from '@hearth/paging';
import { addressOf } from '@hearth/people';
import type { GroupSchema, GroupsService } from '@hearth/proto/groups/v1/groups';
import type { UnaryHandler } from '@hearth/rpc';
import { showCopy } from '../actions/home-groups.ts';
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
      async find(after, limit) {
        const [own, others] = await Promise.all([
          list(context, viewer, { archived, now: new Date(now), after, limit }),
          elsewhere(context, viewer, { archived, after, limit }),
        ]);
        return newestOf(placeOf, limit, own, others);
      },
      placeOf,
    });
    const facts = viewer.person === null ? null : await context.people.findOne(viewer.person);
    const address = facts === null ? '' : addressOf(facts);
    return {
      groups: rows.map((row) => ('listed_at' in row ? toGroup(row, now) : showCopy(row, address))),
      nextCursor,
    };
  };

type Listed = ShownGroup | SeenCopy<typeof GroupSchema>;

const placeOf = (group: Listed) =>
  'listed_at' in group ? { at: group.listed_at, id: group.id } : { at: group.started_at, id: group.id };

/** The remote groups that a person is in. */
async function elsewhere(
  { copies }: Context,
  { person }: Viewer,
  { archived, after, limit }: Pick<Page, 'archived' | 'after' | 'limit'>,
) {
  if (person === null) return [];
  const by = { viewers: [person], status: archived ? null : 'active', waiting: false };
  return await copies.list(by, after, limit);
}

async function list({ database: { db } }: Context, viewer: Viewer, page: Page): Promise<ShownGroup[]> {
  if (viewer.person !== null) return await listOfPerson(db, viewer.person, page);
  if (viewer.app !== null) return await listOfApp(db, viewer.app, page);
  if (viewer.group === null || page.after !== null) return [];
  const own = await findShown(db, { id: viewer.group, handle: null }, viewer);
  return own === null || (!page.archived && isArchived(own, page.now.getTime())) ? [] : [own];
}
