import { isUuid } from '@hearth/ids';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { UnaryHandler } from '@hearth/rpc';
import { readGroup } from '../actions/find-group.ts';
import type { Context } from '../context.ts';
import { findBelonging } from '../db/belonging.ts';
import { roleOf, toFacts } from '../domain/to-proto.ts';

export const findMembership =
  ({ clock, database, homeNames }: Context): UnaryHandler<typeof GroupsService.method.findMembership> =>
  async ({ group, person }) => {
    const ref = isUuid(group) ? { id: group, handle: null } : readGroup(group, homeNames);
    const found = ref === null || !isUuid(person) ? null : await findBelonging(database.db, ref, person);
    return found === null ? {} : { group: toFacts(found, clock.now()), role: roleOf(found.role) };
  };
