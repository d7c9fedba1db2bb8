import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { enumNames } from '@hearth/enum-names';
import { printId } from '@hearth/ids';
import { type People, shieldedTime } from '@hearth/people';
import {
  type GroupFactsSchema,
  type GroupSchema,
  type MemberSchema,
  type Role,
  RoleSchema,
} from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import type { GroupFactsRow } from '../db/groups.ts';
import type { MemberRow } from '../db/members.ts';
import type { ShownGroup } from '../db/shown-groups.ts';
import { isArchived } from './ended.ts';
import { toSettings } from './settings.ts';

const roles = enumNames(RoleSchema);

export const roleOf = (role: MemberRow['role']): Role => roles.valueOf(role);

export function toGroup(group: ShownGroup, now: number): MessageInitShape<typeof GroupSchema> {
  return {
    id: printId('grp', group.id),
    address: `&${group.handle}`,
    name: group.name,
    groupAi: printId('ai', group.group_ai),
    // Only adults create groups, and adults have the same id for every viewer.
    createdBy: group.created_by === null ? undefined : printId('per', group.created_by),
    settings: toSettings(group),
    archived: isArchived(group, now),
    endsAt: group.ends_at === null ? undefined : timestampFromDate(group.ends_at),
    hasMinors: group.has_minors,
    app: group.app === '' ? undefined : printId('app', group.app),
    yourRole: group.role === null ? undefined : roleOf(group.role),
    timeZone: group.time_zone,
    parent: group.parent === null ? undefined : printId('grp', group.parent),
  };
}

/** A member as the caller may see them. */
export function toMember(
  people: Pick<People, 'show'>,
  facts: PersonFacts,
  { role, joined_at }: Pick<MemberRow, 'role' | 'joined_at'>,
  caller: Caller,
): MessageInitShape<typeof MemberSchema> {
  const person = people.show(facts, caller);
  return {
    // Other homes know people by address.
    person: caller.home === '' ? person : { ...person, id: person.address },
    role: roleOf(role),
    // The exact time would let two viewers find out that they see the same child.
    joinedAt: timestampFromDate(person.shielded ? shieldedTime(joined_at) : joined_at),
  };
}

/** A group's facts for other services of this home. */
export function toFacts(group: GroupFactsRow, now: number): MessageInitShape<typeof GroupFactsSchema> {
  return {
    id: group.id,
    handle: group.handle,
    name: group.name,
    groupAi: group.group_ai,
    app: group.app,
    archived: isArchived(group, now),
    settings: toSettings(group),
    timeZone: group.time_zone,
    hasMinors: group.has_minors,
    createdBy: group.created_by ?? '',
    endsAt: group.ends_at === null ? undefined : timestampFromDate(group.ends_at),
    parent: group.parent ?? '',
    elsewhere: group.elsewhere,
  };
}
