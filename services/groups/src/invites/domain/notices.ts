import { printId } from '@hearth/ids';
import { isMinor, shortenName } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import type { GroupRow } from '../../groups/db/groups.ts';
import type { Joiner } from '../actions/change-invite.ts';
import type { InviteRow } from '../db/invites.ts';
import type { Notice } from './events.ts';
import type { NoEntry } from './invite-state.ts';
import { wishId } from './join-request-id.ts';

/** The front page says what waits for somebody; what is waited for has no page of its own yet. */
const frontPage = '/';
/** Where people see what waits for them from those whom they do not know yet. */
const requestsPage = '/requests';

type Group = Pick<GroupRow, 'name'>;
type Wish = { invite: Pick<InviteRow, 'id'>; joiner: PersonFacts };

/** As those see them who may not know who they are. */
const nameOf = (person: PersonFacts) => (isMinor(person) ? shortenName(person.name) : person.name);

/** For who is invited by their address. The link leads on for them alone, signed in: it holds no code. */
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

/** For the guardian of somebody under 18 whom an invite was sent to by who shares no group with them. */
export function invitedChild(
  group: Group,
  invite: InviteRow,
  { facts }: Joiner,
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

/** For who waited to join. */
export function letIn(group: Group, { invite, joiner }: Wish, note: string, by: Caller): Notice {
  const title = isMinor(joiner)
    ? `${nameOf(joiner)} is in ${group.name} now`
    : `You are in ${group.name} now`;
  return { title, body: note, link: frontPage, kind: 'invite', item: wishId(invite.id, joiner.id), by };
}

export function notLetIn(
  group: Group,
  { invite, joiner }: Wish,
  note: string,
  by: Caller | undefined,
): Notice {
  const title = isMinor(joiner)
    ? `${nameOf(joiner)} was not let into ${group.name}`
    : `You were not let into ${group.name}`;
  return { title, body: note, link: frontPage, kind: 'invite', item: wishId(invite.id, joiner.id), by };
}

/** For who had every word and found no room, or no way in, any more. @param why in the words of the refusal */
export function foundNoRoom(group: Group, wish: Wish, why: string): Notice {
  const body = `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
  return notLetIn(group, wish, body, undefined);
}

/** For whoever gave the last word about them. */
export function couldNotBeLetIn(group: Group, { invite, joiner }: Wish, why: NoEntry): Notice {
  return {
    title: `${nameOf(joiner)} could not be let into ${group.name}`,
    body:
      why === 'full'
        ? 'The group was full by then. Once there is room, invite them again.'
        : 'As the group and they are now, they cannot join.',
    link: frontPage,
    kind: 'invite',
    item: wishId(invite.id, joiner.id),
    by: undefined,
  };
}

/** For who made an invite that came to nothing. */
export function cameToNothing(group: Group, invite: InviteRow, by: Caller | undefined, note = ''): Notice {
  const words = {
    declined: 'was declined',
    withdrawn: 'was given back by who used it',
    revoked: 'was taken back',
    expired: 'has expired',
    full: 'came to nothing: the group was full when the last word was given',
    cannot_join: 'came to nothing: who used it could not join any more when the last word was given',
  };
  const whose = invite.invitee === '' ? '' : ` for ${invite.invitee}`;
  return {
    title: `Your invite${whose} into ${group.name} ${words[invite.why ?? 'expired']}`,
    body: note,
    link: frontPage,
    kind: 'invite',
    item: invite.id,
    by,
  };
}
