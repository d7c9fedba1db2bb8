import { actingPerson, type Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { ArchiveReason } from '../db/groups.ts';
import { toGroup } from '../domain/to-proto.ts';
import { findGroup } from './find-group.ts';
import { requireActive, requireOrganizer } from './group-machine.ts';

/** Archives a group for archive_group and end_group; an ended group cannot be restored. */
export async function archive(
  context: Context,
  { id }: { id: string },
  caller: Caller,
  why: Extract<ArchiveReason, 'ended' | 'organizer_archived'>,
) {
  const { clock, groups } = context;
  const person = actingPerson(caller);
  const shown = await findGroup(context, id, caller);
  const { state } = await groups.act(shown.id, async (group, tx) => {
    await requireOrganizer(tx, group.id, person);
    requireActive(group, clock.now());
    const at = new Date(clock.now());
    return { kind: 'archive', why, by: why === 'ended' ? null : person, at, caller };
  });
  return toGroup({ ...shown, ...state }, clock.now());
}
