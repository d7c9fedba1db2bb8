import { sizeOf } from '@hearth/limits';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import { actingPerson, type UnaryHandler } from '@hearth/rpc';
import { findGroup } from '../actions/find-group.ts';
import { requireOrganizer } from '../actions/group-machine.ts';
import type { Context } from '../context.ts';
import { restoreRefusal } from '../domain/restore.ts';
import { toGroup } from '../domain/to-proto.ts';

export const restoreGroup =
  (context: Context): UnaryHandler<typeof GroupsService.method.restoreGroup> =>
  async ({ id }, { caller }) => {
    const { clock, groups, limits } = context;
    const person = actingPerson(caller);
    const shown = await findGroup(context, id, caller);
    const { state } = await groups.act(shown.id, async (group, tx) => {
      await requireOrganizer(tx, group.id, person);
      const refusal = restoreRefusal(group, person, clock.now(), sizeOf(limits, 'restore_group_days'));
      if (refusal !== null) throw refusal;
      return { kind: 'restore', caller };
    });
    return toGroup({ ...shown, ...state }, clock.now());
  };
