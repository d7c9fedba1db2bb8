import { badField, badRequest, notFound } from '@hearth/errors';
import { isMinor } from '@hearth/people';
import { type GroupsService, Role } from '@hearth/proto/groups/v1/groups';
import { actingPerson, type UnaryHandler } from '@hearth/rpc';
import { findGroup } from '../actions/find-group.ts';
import { changeOfMember, requireActive, requireOrganizer } from '../actions/group-machine.ts';
import type { Context } from '../context.ts';
import { countOrganizers, findMember, setRole as writeRole } from '../db/members.ts';
import { roleChanged } from '../domain/events.ts';
import { toMember } from '../domain/to-proto.ts';

export const setRole =
  (context: Context): UnaryHandler<typeof GroupsService.method.setRole> =>
  async (request, { caller }) => {
    const { clock, groups, people } = context;
    const by = actingPerson(caller);
    const { id } = await findGroup(context, request.id, caller);
    const person = await people.everywhere.resolve(request.person, caller);
    if (person === null) throw notFound();
    const role = request.role === Role.ORGANIZER ? 'organizer' : 'member';
    const member = await groups.locked(id, async (tx, group) => {
      await requireOrganizer(tx, id, by);
      requireActive(group, clock.now());
      const before = await findMember(tx, id, person.id);
      if (before === null) throw notFound();
      if (before.role === role) return before;
      if (role === 'organizer' && isMinor(person)) throw onlyAdults();
      if (role === 'organizer' && person.home !== '')
        throw badField(
          'role',
          `must be member: ${person.home} is the home of this person, and organizers are of this one`,
        );
      if (role === 'member' && (await countOrganizers(tx, id)) === 1) {
        throw badRequest('a group keeps at least one organizer: make somebody else an organizer first', {
          code: 'last_organizer',
        });
      }
      if (!(await writeRole(tx, id, person.id, role))) throw onlyAdults();
      tx.announce(roleChanged(await changeOfMember(tx, group, person.id, caller), person, role));
      return { ...before, role } as const;
    });
    return toMember(people, person, member, caller);
  };

function onlyAdults() {
  return badRequest('an organizer must be an adult: a person under 18 can be a member', {
    code: 'minors_not_allowed',
  });
}
