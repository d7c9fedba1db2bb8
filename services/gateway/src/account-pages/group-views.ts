import { notFound } from '@hearth/errors';
import {
  type Group as FoundGroup,
  GroupsService,
  type Member,
  MinorsSchema,
  Role,
} from '@hearth/proto/groups/v1/groups';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import type { GroupPost as Posted } from '@hearth/proto/messages/v1/group_posts';
import type { Caller } from '@hearth/rpc';
import {
  type Group,
  type GroupAges,
  type GroupMember,
  type GroupPost,
  type GroupRole,
  groupAges,
  oneOf,
} from '@hearth/web';
import { type Context, msOf, nameOf, type Own } from '../pages/module.ts';

/** Finds a group by its handle, or by its id, as invites name it. @throws not_found unless the person is a member */
export async function findGroup({ ask }: Pick<Context, 'ask'>, request: Own): Promise<FoundGroup> {
  const named = request.param('handle');
  const id = named.startsWith('grp_') ? named : `&${named}`;
  const group = await ask(GroupsService.method.getGroup, { id }, request.person);
  if (group.yourRole === undefined) throw notFound();
  return group;
}

export const handleOf = ({ address }: Pick<FoundGroup, 'address'>): string => address.replace(/^&/, '');

const roleOf = (role: Role | undefined): GroupRole => (role === Role.ORGANIZER ? 'organizer' : 'member');

/** A group as its pages show it. */
export function groupView(group: FoundGroup): Group {
  const { name, archived, endsAt, hasMinors, settings, yourRole } = group;
  return {
    ...{ name, archived, hasMinors },
    handle: handleOf(group),
    role: roleOf(yourRole),
    endsAtMs: msOf(endsAt),
    minors: oneOf(groupAges, nameOf<GroupAges>(MinorsSchema, settings?.minors ?? 0, 'no')) ?? 'no',
    consentAge: settings?.consentAge,
  };
}

export function memberView({ person, role, joinedAt }: Member, viewer: Caller): GroupMember {
  const { id = '', name = '', address = '', guest = false, ageBand, home } = person ?? {};
  return {
    ...{ id, name, address, home },
    isAdult: ageBand === AgeBand.ADULT,
    role: roleOf(role),
    isViewer: address === viewer.address,
    isGuest: guest,
    joinedAtMs: msOf(joinedAt) ?? 0,
  };
}

export function postView(
  { id, from, fromName, byAi, text, at, replyTo = '' }: Posted,
  viewer: Caller,
  authors: ReadonlyMap<string, string>,
): GroupPost {
  const answered = authors.get(replyTo);
  return {
    ...{ id, from, fromName, byAi, text },
    isViewers: from === viewer.address,
    atMs: msOf(at) ?? 0,
    isDay: from.startsWith('shp_'),
    answers: answered === undefined ? undefined : { id: replyTo, name: answered },
  };
}
