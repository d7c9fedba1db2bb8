import { printId } from '@hearth/ids';
import { isMinor, shortenName } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import type { GroupRow } from '../../groups/module.ts';
import type { Notice } from '../../shared/domain/notice.ts';
import type { InviteRow } from '../db/invites.ts';
import type { PersonWithGuardians } from './events.ts';
import type { NoEntry } from './invite-state.ts';
import { joinRequestId } from './join-request-id.ts';

type Group = Pick<GroupRow, 'name'>;
type OfJoiner = { invite: Pick<InviteRow, 'id'>; joiner: PersonFacts };
type By = Caller | undefined;

/** Builds a notice. The default link is the front page, which lists a person's pending items. */
function notice(item: string, title: string, by: By, { body = '', link = '/' } = {}): Notice {
  return { title, body, link, kind: 'invite', item, by };
}

/** The name for a reader who may not know the person. */
const nameOf = (person: PersonFacts) => (isMinor(person) ? shortenName(person.name) : person.name);

/** Notice to the recipient. The link contains no code, so it works only for them, signed in. */
export function invited(group: Group, { id, created_by_name }: InviteRow, by: By): Notice {
  const link = `/i/${printId('inv', id)}`;
  return notice(id, `${created_by_name} invites you to ${group.name}`, by, { link });
}

/** Notice to the guardian of a recipient under 18 who shares no group with the inviter. */
export function invitedChild(
  group: Group,
  { id, created_by_name }: InviteRow,
  { facts }: PersonWithGuardians,
  by: By,
): Notice {
  const title = `${created_by_name} invites ${nameOf(facts)} to ${group.name}`;
  return notice(id, title, by, { link: '/requests' });
}

/** Notice to the joiner. */
export function letIn(group: Group, { invite, joiner }: OfJoiner, body: string, by: Caller): Notice {
  const they = isMinor(joiner) ? `${nameOf(joiner)} is` : 'You are';
  return notice(joinRequestId(invite.id, joiner.id), `${they} in ${group.name} now`, by, { body });
}

export function notLetIn(group: Group, { invite, joiner }: OfJoiner, body: string, by: By): Notice {
  const they = isMinor(joiner) ? `${nameOf(joiner)} was` : 'You were';
  return notice(joinRequestId(invite.id, joiner.id), `${they} not let into ${group.name}`, by, { body });
}

/** Notice to a joiner with every approval whom the group could not take. @param why the refusal's message */
export function foundNoRoom(group: Group, of: OfJoiner, why: string): Notice {
  return notLetIn(group, of, `${why.charAt(0).toUpperCase()}${why.slice(1)}.`, undefined);
}

/** Notice to a joiner who was waiting when the group was archived. */
export function groupArchived(group: Group, { invite, joiner }: OfJoiner): Notice {
  const whose = isMinor(joiner) ? `${nameOf(joiner)}'s` : 'Your';
  const title = `${whose} request to join ${group.name} has ended`;
  const body = 'The group was archived. If an organizer restores it, ask again.';
  return notice(joinRequestId(invite.id, joiner.id), title, undefined, { body });
}

/** Notice to the approvers. */
export function couldNotBeLetIn(group: Group, { invite, joiner }: OfJoiner, why: NoEntry): Notice {
  const title = `${nameOf(joiner)} could not be let into ${group.name}`;
  const body =
    why === 'full'
      ? 'The group was full by then. Once there is room, invite them again.'
      : why === 'archived'
        ? 'The group is archived.'
        : 'As the group and they are now, they cannot join.';
  return notice(joinRequestId(invite.id, joiner.id), title, undefined, { body });
}

const ends = {
  declined: 'was declined',
  withdrawn: 'was given back by who used it',
  revoked: 'was taken back',
  expired: 'has expired',
  full: 'came to nothing: the group was full when the last word was given',
  archived: 'came to nothing: the group was archived',
  cannot_join: 'came to nothing: who used it could not join any more when the last word was given',
};

/** Notice to the inviter. */
export function cameToNothing(group: Group, { id, invitee, why }: InviteRow, by: By, body = ''): Notice {
  const whose = invitee === '' ? '' : ` for ${invitee}`;
  return notice(id, `Your invite${whose} into ${group.name} ${ends[why ?? 'expired']}`, by, { body });
}
