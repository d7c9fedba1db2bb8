import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { notFound } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { addressOf } from '@hearth/people';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { UnaryHandler } from '@hearth/rpc';
import { findElsewhere, membersElsewhere } from '../actions/find-elsewhere.ts';
import { readGroup } from '../actions/find-group.ts';
import { viewerOf } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import { findMembership } from '../db/shown-groups.ts';
import { roleOf } from '../domain/to-proto.ts';

export const checkMembership =
  (context: Context): UnaryHandler<typeof GroupsService.method.checkMembership> =>
  async (request, { caller }) => {
    const { clock, database, homeNames, people } = context;
    const checkedAt = timestampFromDate(new Date(clock.now()));
    const elsewhere = await findElsewhere(context, request.id, caller);
    if (elsewhere !== null) {
      const named = await people.everywhere.resolve(request.person, caller);
      const address = named === null ? request.person : addressOf(named);
      const members = await membersElsewhere(context, elsewhere);
      const found = members.find((member) => member.person?.address === address);
      if (named === null && found === undefined) throw notFound();
      // People under 18 are never members of a remote group, and their address is not public: it is shown as
      // the caller's id for them.
      const person = named === null || found !== undefined ? address : people.idFor(named, caller);
      const group = elsewhere.copy.message.id;
      return { group, person, member: found !== undefined, role: found?.role, checkedAt };
    }
    const ref = readGroup(request.id, homeNames);
    const person = ref === null ? null : await people.everywhere.resolve(request.person, caller);
    const found =
      ref === null || person === null
        ? null
        : await findMembership(database.db, ref, viewerOf(caller), person.id);
    if (found === null || person === null) throw notFound();
    const { id, role } = found;
    return {
      group: printId('grp', id),
      person: people.idFor(person, caller),
      member: role !== null,
      role: role === null ? undefined : roleOf(role),
      checkedAt,
    };
  };
