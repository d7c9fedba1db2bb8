import { badRequest, notFound } from '@hearth/errors';
import { groupsTopic } from '../../shared/domain/topics.ts';
import { changeGroup, requireOrganizer } from '../actions/change-group.ts';
import { findGroup } from '../actions/find-group.ts';
import { whoseWord } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import { raiseSeq } from '../db/groups.ts';
import { appsOfMembers, deleteMember, findMember } from '../db/members.ts';
import { memberRemoved } from '../domain/events.ts';
import type { GroupsHandlers } from './index.ts';

export const removeMember =
  (context: Context): GroupsHandlers['removeMember'] =>
  async (request, { caller }) => {
    const { outbox, people } = context;
    const by = whoseWord(caller);
    const { id } = await findGroup(context, request.id, caller);
    const person = await people.resolve(request.person, caller);
    if (person === null) throw notFound();
    await changeGroup(context, id, async (tx, group) => {
      await requireOrganizer(tx, group, by);
      if (person.id === by) throw badRequest('that is you: leave the group instead');
      if ((await findMember(tx, id, person.id)) === null) throw notFound();
      // Who removes stays an organizer, so that the group keeps one.
      const apps = await appsOfMembers(tx, id);
      await deleteMember(tx, id, person.id);
      const seq = await raiseSeq(tx, id);
      const told = { group, seq, apps, by: caller, topics: [groupsTopic(person.id)] };
      return { result: undefined, events: [memberRemoved(outbox, told, person, request.reason ?? '')] };
    });
    return { removed: true };
  };
