import { badRequest, notFound } from '@hearth/errors';
import { isMinor } from '@hearth/people';
import { Role } from '@hearth/proto/groups/v1/groups';
import { groupsTopic } from '../../shared/domain/topics.ts';
import { changeGroup, requireActive, requireOrganizer } from '../actions/change-group.ts';
import { findGroup } from '../actions/find-group.ts';
import { whoseWord } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import { raiseSeq } from '../db/groups.ts';
import { appsOfMembers, countOrganizers, findMember, setRole as writeRole } from '../db/members.ts';
import { roleChanged } from '../domain/events.ts';
import { toMember } from '../domain/to-proto.ts';
import type { GroupsHandlers } from './index.ts';

export const setRole =
  (context: Context): GroupsHandlers['setRole'] =>
  async (request, { caller }) => {
    const { clock, outbox, people } = context;
    const by = whoseWord(caller);
    const { id } = await findGroup(context, request.id, caller);
    const person = await people.resolve(request.person, caller);
    if (person === null) throw notFound();
    const role = request.role === Role.ORGANIZER ? 'organizer' : 'member';
    const member = await changeGroup(context, id, async (tx, group) => {
      await requireOrganizer(tx, group, by);
      requireActive(group, clock.now());
      const before = await findMember(tx, id, person.id);
      if (before === null) throw notFound();
      if (before.role === role) return { result: before, events: [] };
      if (role === 'organizer' && isMinor(person)) throw onlyAdults();
      if (role === 'member' && (await countOrganizers(tx, id)) === 1) {
        throw badRequest('a group keeps at least one organizer: make somebody else an organizer first');
      }
      if (!(await writeRole(tx, id, person.id, role))) throw onlyAdults();
      const seq = await raiseSeq(tx, id);
      const apps = await appsOfMembers(tx, id);
      const told = { group, seq, apps, by: caller, topics: [groupsTopic(person.id)] };
      return { result: { ...before, role } as const, events: [roleChanged(outbox, told, person, role)] };
    });
    return toMember(people, person, member, caller);
  };

function onlyAdults() {
  return badRequest('an organizer is an adult: somebody under 18 can be a member', {
    code: 'minors_not_allowed',
  });
}
