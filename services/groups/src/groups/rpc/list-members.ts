import { pageSize } from '@hearth/paging';
import { type GroupsService, Role } from '@hearth/proto/groups/v1/groups';
import type { UnaryHandler } from '@hearth/rpc';
import { findElsewhere, membersElsewhere } from '../actions/find-elsewhere.ts';
import { findGroup } from '../actions/find-group.ts';
import { type Asked, createMemberPlaces } from '../actions/member-places.ts';
import type { Context } from '../context.ts';
import { findMembers, type MemberRow } from '../db/members.ts';
import {
  cutPage,
  isSamePlace,
  type MemberPlace,
  placeOf,
  printMemberPlace,
  readMemberPlace,
} from '../domain/member-order.ts';
import { toMember } from '../domain/to-proto.ts';

export const listMembers = (context: Context): UnaryHandler<typeof GroupsService.method.listMembers> => {
  const places = createMemberPlaces(context);
  return async (request, { caller }) => {
    const elsewhere = await findElsewhere(context, request.id, caller);
    if (elsewhere !== null) {
      const members = await membersElsewhere(context, elsewhere);
      return { members: members.filter(({ role }) => !request.role || role === request.role) };
    }
    const after = request.cursor === undefined ? null : readMemberPlace(request.cursor);
    const group = await findGroup(context, request.id, caller);
    const asked = { group, role: roleName(request.role), caller };
    const size = pageSize(context.limits, request.limit);
    const page = async () => {
      const cut = cutPage(await places.of(asked), after, size);
      return { ...cut, ...(await readAll(context, asked, cut.shown)) };
    };
    let read = await page();
    if (read.moved) {
      places.forget(asked);
      read = await page();
    }
    const last = read.shown.at(-1);
    return {
      members: read.members,
      nextCursor: read.more && last !== undefined ? printMemberPlace(last) : undefined,
    };
  };
};

function roleName(role: Role | undefined): MemberRow['role'] | null {
  if (!role) return null;
  return role === Role.ORGANIZER ? 'organizer' : 'member';
}

/** The current members at these places, and whether any moved: an old place must not leak. */
async function readAll(
  { database, people }: Context,
  { group, role, caller }: Asked,
  shown: readonly MemberPlace[],
) {
  const persons = shown.map(({ person }) => person);
  const [rows, facts] = await Promise.all([
    findMembers(database.db, group.id, persons),
    people.everywhere.find(persons),
  ]);
  const rowOf = new Map(rows.map((row) => [row.person, row]));
  const shielded = people.shieldedIds([...facts.values()], caller);
  const present = shown.flatMap((place) => {
    const [row, person] = [rowOf.get(place.person), facts.get(place.person)];
    return row === undefined || person === undefined ? [] : [{ place, row, person }];
  });
  return {
    moved: present.some(
      ({ place, row }) =>
        !isSamePlace(place, placeOf(row.joined_at, row.person, shielded.get(row.person) ?? null)),
    ),
    members: present
      .filter(({ row }) => role === null || row.role === role)
      .map(({ row, person }) => toMember(people, person, row, caller)),
  };
}
