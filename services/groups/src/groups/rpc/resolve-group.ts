import { printId } from '@hearth/ids';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { UnaryHandler } from '@hearth/rpc';
import { findByName } from '../actions/find-by-name.ts';
import { readGroup } from '../actions/find-group.ts';
import { viewerOf } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import { findShown, type ShownGroup, type Viewer } from '../db/shown-groups.ts';
import { toGroup } from '../domain/to-proto.ts';

export const resolveGroup =
  (context: Context): UnaryHandler<typeof GroupsService.method.resolveGroup> =>
  async ({ q }, { caller }) => {
    const now = context.clock.now();
    const [first, ...others] = await find(context, q, viewerOf(caller));
    if (first !== undefined && others.length === 0) return { group: toGroup(first, now), candidates: [] };
    return { candidates: first === undefined ? [] : [first, ...others].map(toCandidate) };
  };

async function find(context: Context, q: string, viewer: Viewer): Promise<ShownGroup[]> {
  const ref = readGroup(q, context.homeNames);
  if (ref !== null) {
    const group = await findShown(context.database.db, ref, viewer);
    return group === null ? [] : [group];
  }
  return await findByName(context, q, viewer);
}

function toCandidate({ id, name, handle }: ShownGroup) {
  return { id: printId('grp', id), name, address: `&${handle}` };
}
