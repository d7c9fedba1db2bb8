import { isUuid } from '@hearth/ids';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { UnaryHandler } from '@hearth/rpc';
import { findByName } from '../actions/find-by-name.ts';
import { readGroup } from '../actions/find-group.ts';
import type { Context } from '../context.ts';
import { findBelonging } from '../db/belonging.ts';
import { roleOf, toFacts } from '../domain/to-proto.ts';

export const findMembership =
  (context: Context): UnaryHandler<typeof GroupsService.method.findMembership> =>
  async ({ group, person }) => {
    const { clock, database, homeNames } = context;
    if (!isUuid(person)) return {};
    const ref = isUuid(group) ? { id: group, handle: null } : readGroup(group, homeNames);
    const [named, ...others] =
      ref === null ? await findByName(context, group, { person, app: null, group: null }) : [ref];
    if (others.length > 0) return { candidates: [named!, ...others].map(({ handle }) => `&${handle}`) };
    const found =
      named === undefined
        ? null
        : await findBelonging(database.db, ref ?? { id: named.id, handle: null }, person);
    return found === null ? {} : { group: toFacts(found, clock.now()), role: roleOf(found.role) };
  };
