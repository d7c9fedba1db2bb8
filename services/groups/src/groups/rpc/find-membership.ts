import { createCoalescer } from '@hearth/coalesce';
import type { SeenCopy } from '@hearth/home-acts';
import { isUuid } from '@hearth/ids';
import type { GroupSchema, GroupsService } from '@hearth/proto/groups/v1/groups';
import type { UnaryHandler } from '@hearth/rpc';
import { findByName } from '../actions/find-by-name.ts';
import { readGroup } from '../actions/find-group.ts';
import type { Context } from '../context.ts';
import { type Belonging, type BelongingWanted, findBelongings } from '../db/belonging.ts';
import { roleOf, toFacts } from '../domain/to-proto.ts';

/** The known facts of a remote group. */
const factsOf = ({ message, reference }: SeenCopy<typeof GroupSchema>) => ({
  id: reference,
  handle: message.address.replace(/^&/, ''),
  name: message.name,
  archived: message.archived,
});

export const findMembership = (
  context: Context,
): UnaryHandler<typeof GroupsService.method.findMembership> => {
  const { clock, database, homeNames } = context;
  const reads = createCoalescer<BelongingWanted, Belonging | null>({
    name: 'batch of memberships',
    run: (wanted) => findBelongings(database.db, wanted),
  });
  return async ({ elsewhere, group, person, roster }) => {
    if (!isUuid(person)) return {};
    if (elsewhere) {
      const copy = await context.copies.find(group, [person]);
      if (copy === undefined) return {};
      if (copy !== null) return { group: factsOf(copy) };
    }
    const ref = isUuid(group) ? { id: group, handle: null } : readGroup(group, homeNames);
    const [named, ...others] =
      ref === null ? await findByName(context, group, { person, app: null, group: null }) : [ref];
    if (others.length > 0) return { candidates: [named!, ...others].map(({ handle }) => `&${handle}`) };
    if (named === undefined) return {};
    const found = await reads.add({ ref: ref ?? { id: named.id, handle: null }, person, roster });
    if (found === null) return {};
    return {
      group: toFacts(found, clock.now()),
      role: roleOf(found.role),
      members: found.roster.map((member) => ({ person: member.person, role: roleOf(member.role) })),
    };
  };
};
