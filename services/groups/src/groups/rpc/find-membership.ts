import { toRole } from '../../shared/domain/enum-names.ts';
import { isUuid } from '../../shared/domain/uuid.ts';
import { readGroup } from '../actions/find-group.ts';
import type { Context } from '../context.ts';
import { findBelonging } from '../db/belonging.ts';
import { toFacts } from '../domain/to-proto.ts';
import type { GroupsHandlers } from './index.ts';

export const findMembership =
  ({ clock, database, homeNames }: Context): GroupsHandlers['findMembership'] =>
  async ({ group, person }) => {
    const ref = isUuid(group) ? { id: group, handle: null } : readGroup(group, homeNames);
    const found = ref === null || !isUuid(person) ? null : await findBelonging(database.db, ref, person);
    return found === null ? {} : { group: toFacts(found, clock.now()), role: toRole(found.role) };
  };
