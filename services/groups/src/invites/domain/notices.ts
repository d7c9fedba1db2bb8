import { printId } from '@hearth/ids';
import { isMinor, shortenName } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import type { GroupRow } from '../../groups/module.ts';
import type { InviteRow } from '../db/invites.ts';
import type { Notice, PersonWithGuardians } from './events.ts';
import type { NoEntry } from './invite-state.ts';
import { joinRequestId } from './join-request-id.ts';

/** The front page lists what waits for a person; a join request has no page of its own yet. */
const frontPage = '/';
/** The page of requests from people whom the reader does not know yet. */
const requestsPage = '/requests';

type Group = Pick<GroupRow, 'name'>;
type OfJoiner = { invite: Pick<InviteRow, 'id'>; joiner: PersonFacts };

/** The name for a reader who may not know the person. */
const nameOf = (person: PersonFacts) => (isMinor(person) ? shortenName(person.name) : person.name);

/** For the recipient. The link works only for them, signed in: it holds no code. */
export function invited(group: Group, invite: InviteRow, by: Caller | undefined): Notice {
  return {
    title: `${invite.created_by_name} invites you to ${group.name}`,
    body: '',
    link: `/i/${printId('inv', invite.id)}`,
    kind: 'invite',
    item: invite.id,
    by,
  };
}

/** For the guardian of a recipient under 18 who shares no group with the inviter. */
export function invitedChild(
  group: Group,
  invite: InviteRow,
  { facts }: PersonWithGuardians,
  by: Caller | undefined,
): Notice {
  return {
    title: `${invite.created_by_name} invites ${nameOf(facts)} to ${group.name}`,
    body: '',
    link: requestsPage,
    kind: 'invite',
    item: invite.id,
    by,
  };
}

/** For the joiner. */
export function letIn(group: Group, { invite, joiner }: OfJoiner, note: string, by: Caller): Notice {
  const title = isMinor(joiner)
    ? `${nameOf(joiner)} is in ${group.name} now`
    : `You are in ${group.name} now`;
  return {
    title,
    body: note,
    link: frontPage,
    kind: 'invite',
    item: joinRequestId(invite.id, joiner.id),
    by,
  };
}

export function notLetIn(
  group: Group,
  { invite, joiner }: OfJoiner,
  note: string,
  by: Caller | undefined,
): Notice {
  const title = isMinor(joiner)
    ? `${nameOf(joiner)} was not let into ${group.name}`
    : `You were not let into ${group.name}`;
  return {
    title,
    body: note,
    link: frontPage,
    kind: 'invite',
    item: joinRequestId(invite.id, joiner.id),
    by,
  };
}

/** For a joiner whom every approver let in and whom the group could not take. @param why the message of the refusal */
export function foundNoRoom(group: Group, of: OfJoiner, why: string): Notice {
  const body = `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
  return notLetIn(group, of, body, undefined);
}

/** For the approvers. */
export function couldNotBeLetIn(group: Group, { invite, joiner }: OfJoiner, why: NoEntry): Notice {
  return {
    title: `${nameOf(joiner)} could not be let into ${group.name}`,
    body:
      why === 'full'
        ? 'The group was full by then. Once there is room, invite them again.'
        : 'As the group and they are now, they cannot join.',
    link: frontPage,
    kind: 'invite',
    item: joinRequestId(invite.id, joiner.id),
    by: undefined,
  };
}

/** For the inviter. */
export function cameToNothing(group: Group, invite: InviteRow, by: Caller | undefined, note = ''): Notice {
  const ends = {
    declined: 'was declined',
    withdrawn: 'was given back by who used it',
    revoked: 'was taken back',
    expired: 'has expired',
    full: 'came to nothing: the group was full when the last word was given',
    cannot_join: 'came to nothing: who used it could not join any more when the last word was given',
  };
  const whose = invite.invitee === '' ? '' : ` for ${invite.invitee}`;
  return {
    title: `Your invite${whose} into ${group.name} ${ends[invite.why ?? 'expired']}`,
    body: note,
    link: frontPage,
    kind: 'invite',
    item: invite.id,
    by,
  };
}
