import { badField, notFound } from '@hearth/errors';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import { actingPerson, type UnaryHandler } from '@hearth/rpc';
import { findGroup } from '../actions/find-group.ts';
import { changeOfMember, reasonFor, requireOrganizer } from '../actions/group-machine.ts';
import type { Context } from '../context.ts';
import { deleteMember, findMember } from '../db/members.ts';
import { memberRemoved } from '../domain/events.ts';

export const removeMember =
  (context: Context): UnaryHandler<typeof GroupsService.method.removeMember> =>
  async (request, { caller }) => {
    const { groups, people } = context;
    const by = actingPerson(caller);
    const { id } = await findGroup(context, request.id, caller);
    const person = await people.everywhere.resolve(request.person, caller);
    if (person === null) throw notFound();
    await groups.locked(id, async (tx, group) => {
      await requireOrganizer(tx, id, by);
      if (person.id === by) throw badField('person', 'that is you: leave the group instead');
      if ((await findMember(tx, id, person.id)) === null) throw notFound();
      // The caller stays an organizer, so the group keeps one.
      const change = await changeOfMember(tx, group, person.id, caller);
      await deleteMember(tx, id, person.id);
      tx.announce(memberRemoved(change, person, await reasonFor(tx, id, request.reason)));
    });
    return { removed: true };
  };
