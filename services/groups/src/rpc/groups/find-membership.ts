import type { Context } from '../../context.ts';
import { findBelonging } from '../../db/belonging.ts';
import { isUuid } from '../../domain/uuid.ts';
import { toRole } from '../../domain/words.ts';
import { readGroup } from '../find-group.ts';
import { toFacts } from '../to-proto.ts';
import type { GroupsHandlers } from './index.ts';

export const findMembership =
  ({ clock, database, homeNames }: Context): GroupsHandlers['findMembership'] =>
  async ({ group, person }) => {
    const ref = isUuid(group) ? { id: group, handle: null } : readGroup(group, homeNames);
    const found = ref === null || !isUuid(person) ? null : await findBelonging(database.db, ref, person);
    return found === null ? {} : { group: toFacts(found, clock.now()), role: toRole(found.role) };
  };
