import type { People } from '@hearth/people';
import { Role } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import { pageSize } from '../../shared/page-size.ts';
import { findGroup } from '../actions/find-group.ts';
import type { Context } from '../context.ts';
import { type MemberRow, listMembers as readMembers } from '../db/members.ts';
import {
  cutPage,
  type MemberPlace,
  placeOf,
  printMemberPlace,
  readMemberPlace,
} from '../domain/member-order.ts';
import { toMember } from '../domain/to-proto.ts';
import type { GroupsHandlers } from './index.ts';

interface Entry {
  row: MemberRow;
  place: MemberPlace;
}

export const listMembers =
  (context: Context): GroupsHandlers['listMembers'] =>
  async (request, { caller }) => {
    const { database, people } = context;
    const after = request.cursor === undefined ? null : readMemberPlace(request.cursor);
    const group = await findGroup(context, request.id, caller);
    const rows = await readMembers(database.db, group.id, roleWord(request.role));
    const entries = await placeAll(people, rows, caller);
    const { shown, more } = cutPage(entries, after, pageSize(context, request.limit));
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

function roleWord(role: Role | undefined): MemberRow['role'] | null {
  if (!role) return null;
  return role === Role.ORGANIZER ? 'organizer' : 'member';
}

/** Where each stands in the list as the caller sees it. Facts of adults are not needed for that. */
async function placeAll(people: People, rows: MemberRow[], caller: Caller): Promise<Entry[]> {
  const minors = rows.filter((row) => row.age_band !== 'adult');
  const facts = await people.find(minors.map((row) => row.person));
  return rows.map((row) => ({ row, place: place(people, row, facts.get(row.person), caller) }));
}

function place(people: People, row: MemberRow, facts: PersonFacts | undefined, caller: Caller): MemberPlace {
  const shown = facts && people.idFor(facts, caller);
  return placeOf(row.joined_at, row.person, shown?.startsWith('shp_') ? shown : null);
}
