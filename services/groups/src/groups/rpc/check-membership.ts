import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { notFound } from '@hearth/errors';
import { printId } from '@hearth/ids';
import { toRole } from '../../shared/domain/enum-names.ts';
import { readGroup } from '../actions/find-group.ts';
import { viewing } from '../actions/viewer.ts';
import type { Context } from '../context.ts';
import { findMembership } from '../db/shown-groups.ts';
import type { GroupsHandlers } from './index.ts';

export const checkMembership =
  ({ clock, database, homeNames, people }: Context): GroupsHandlers['checkMembership'] =>
  async (request, { caller }) => {
    const ref = readGroup(request.id, homeNames);
    const person = ref === null ? null : await people.resolve(request.person, caller);
    const found =
      ref === null || person === null
        ? null
        : await findMembership(database.db, ref, viewing(caller), person.id);
    if (found === null || person === null) throw notFound();
    const { id, role } = found;
    return {
      group: printId('grp', id),
      person: people.idFor(person, caller),
      member: role !== null,
      role: role === null ? undefined : toRole(role),
      checkedAt: timestampFromDate(new Date(clock.now())),
    };
  };
