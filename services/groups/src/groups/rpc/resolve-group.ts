import { parseAddress } from '@hearth/addresses';
import { parseId, printId } from '@hearth/ids';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { UnaryHandler } from '@hearth/rpc';
import { readGroup } from '../actions/find-group.ts';
import { viewerOf } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import { findNamed, findShown, type ShownGroup, type Viewer } from '../db/shown-groups.ts';
import { chooseNamed } from '../domain/choose-named.ts';
import { isArchived } from '../domain/ended.ts';
import { toGroup } from '../domain/to-proto.ts';

const mostCandidates = 20;

export const resolveGroup =
  (context: Context): UnaryHandler<typeof GroupsService.method.resolveGroup> =>
  async ({ q }, { caller }) => {
    const now = context.clock.now();
    const [first, ...others] = await find(context, q, viewerOf(caller));
    if (first !== undefined && others.length === 0) return { group: toGroup(first, now), candidates: [] };
    return { candidates: first === undefined ? [] : [first, ...others].map(toCandidate) };
  };

async function find(
  { clock, database: { db }, homeNames }: Context,
  q: string,
  viewer: Viewer,
): Promise<ShownGroup[]> {
  const ref = readGroup(q, homeNames);
  if (ref !== null) {
    const group = await findShown(db, ref, viewer);
    return group === null ? [] : [group];
  }
  // An id or address of something else is no name.
  if (parseId('grp', q) !== null || parseAddress(q, homeNames) !== null) return [];
  const now = clock.now();
  const named = await findNamed(db, viewer, q, { now: new Date(now), limit: mostCandidates });
  return chooseNamed(
    named.map((group) => ({ ...group, archived: isArchived(group, now) })),
    q,
  );
}

function toCandidate({ id, name, handle }: ShownGroup) {
  return { id: printId('grp', id), name, address: `&${handle}` };
}
