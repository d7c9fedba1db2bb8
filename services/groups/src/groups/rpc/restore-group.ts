import { sizeOf } from '@hearth/limits';
import { changeGroup, requireOrganizer } from '../actions/change-group.ts';
import { findGroup } from '../actions/find-group.ts';
import { whoseWord } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import { unarchiveGroup } from '../db/groups.ts';
import { appsOfMembers } from '../db/members.ts';
import { groupUpdated } from '../domain/events.ts';
import { restoreRefusal } from '../domain/restore.ts';
import { toGroup } from '../domain/to-proto.ts';
import type { GroupsHandlers } from './index.ts';

export const restoreGroup =
  (context: Context): GroupsHandlers['restoreGroup'] =>
  async (request, { caller }) => {
    const { clock, limits, outbox } = context;
    const person = whoseWord(caller);
    const seen = await findGroup(context, request.id, caller);
    const restored = await changeGroup(context, seen.id, async (tx, group) => {
      await requireOrganizer(tx, group, person);
      const refusal = restoreRefusal(group, person, clock.now(), sizeOf(limits, 'restore_group_days'));
      if (refusal !== null) throw refusal;
      const row = await unarchiveGroup(tx, group.id);
      const told = { group: row, seq: row.seq, apps: await appsOfMembers(tx, group.id), by: caller };
      return { result: row, events: [groupUpdated(outbox, told, ['archived'])] };
    });
    return toGroup({ ...seen, ...restored }, clock.now());
  };
