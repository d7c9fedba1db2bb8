import type { Caller } from '@hearth/rpc';
import { changeGroup, requireActive, requireOrganizer } from '../actions/change-group.ts';
import { findGroup } from '../actions/find-group.ts';
import { whoseWord } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import { type ArchiveReason, archiveGroup as writeArchived } from '../db/groups.ts';
import { appsOfMembers } from '../db/members.ts';
import { groupArchived } from '../domain/events.ts';
import { toGroup } from '../domain/to-proto.ts';
import type { GroupsHandlers } from './index.ts';

export const archiveGroup =
  (context: Context): GroupsHandlers['archiveGroup'] =>
  (request, { caller }) =>
    archive(context, request.id, caller, 'organizer_archived');

/** For archive_group and end_group, which differ in what can be taken back. */
export async function archive(context: Context, ref: string, caller: Caller, why: ArchiveReason) {
  const { clock, outbox } = context;
  const person = whoseWord(caller);
  const seen = await findGroup(context, ref, caller);
  const archived = await changeGroup(context, seen.id, async (tx, group) => {
    await requireOrganizer(tx, group, person);
    requireActive(group, clock.now());
    const at = new Date(clock.now());
    const row = await writeArchived(tx, group.id, { why, by: why === 'ended' ? null : person, at });
    const told = { group: row, seq: row.seq, apps: await appsOfMembers(tx, group.id), by: caller };
    return { result: row, events: [groupArchived(outbox, told, why)] };
  });
  return toGroup({ ...seen, ...archived }, clock.now());
}
