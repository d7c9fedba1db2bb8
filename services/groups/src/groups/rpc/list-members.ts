import { pageSize } from '@hearth/paging';
import { type GroupsService, Role } from '@hearth/proto/groups/v1/groups';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import { findGroup } from '../actions/find-group.ts';
import type { Context } from '../context.ts';
import { type MemberRow, listMembers as readMembers } from '../db/members.ts';
import { cutPage, placeOf, printMemberPlace, readMemberPlace } from '../domain/member-order.ts';
import { toMember } from '../domain/to-proto.ts';

export const listMembers =
  (context: Context): UnaryHandler<typeof GroupsService.method.listMembers> =>
  async (request, { caller }) => {
    const { database, limits, people } = context;
    const after = request.cursor === undefined ? null : readMemberPlace(request.cursor);
    const group = await findGroup(context, request.id, caller);
    const rows = await readMembers(database.db, group.id, roleName(request.role));
    const entries = await placeAll(context, rows, caller);
    const { shown, more } = cutPage(entries, after, pageSize(limits, request.limit));
    const facts = await people.find(shown.map(({ row }) => row.person));
    const last = shown.at(-1);
    return {
      members: shown.flatMap(({ row }) => {
        const person = facts.get(row.person);
        return person === undefined ? [] : [toMember(people, person, row, caller)];
      }),
      nextCursor: more && last !== undefined ? printMemberPlace(last.place) : undefined,
    };
  };

function roleName(role: Role | undefined): MemberRow['role'] | null {
  if (!role) return null;
  return role === Role.ORGANIZER ? 'organizer' : 'member';
}

/** The place of each in the list that the caller sees; the facts of adults are not needed for it. */
async function placeAll({ people }: Context, rows: MemberRow[], caller: Caller) {
  const minors = rows.filter((row) => row.age_band !== 'adult');
  const known = await people.find(minors.map((row) => row.person));
  return rows.map((row) => {
    const facts = known.get(row.person);
    const id = facts && people.idFor(facts, caller);
    return { row, place: placeOf(row.joined_at, row.person, id?.startsWith('shp_') ? id : null) };
  });
}
