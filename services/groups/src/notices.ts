import { printId } from '@hearth/ids';
import { isMinor, shortenName } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import type { GroupRow } from './db/groups.ts';
import type { InviteRow } from './db/invites.ts';
import { wishId } from './domain/wish-id.ts';
import type { Notice } from './events/announce-invites.ts';

/** The front page says what waits for somebody; what is waited for has no page of its own yet. */
const frontPage = '/';

type Group = Pick<GroupRow, 'name'>;
type Wish = { invite: Pick<InviteRow, 'id'>; joiner: PersonFacts };

/** As those see them who may not know who they are. */
const nameOf = (person: PersonFacts) => (isMinor(person) ? shortenName(person.name) : person.name);

/** For who is invited by their address. The link leads on for them alone, signed in: it holds no code. */
export function invited(group: Group, invite: InviteRow, by: Caller): Notice {
  return {
    title: `${invite.created_by_name} invites you to ${group.name}`,
    body: '',
    link: `/i/${printId('inv', invite.id)}`,
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

export function notLetIn(group: Group, { invite, joiner }: Wish, note: string, by: Caller): Notice {
  const title = isMinor(joiner)
    ? `${nameOf(joiner)} was not let into ${group.name}`
    : `You were not let into ${group.name}`;
  return { title, body: note, link: frontPage, kind: 'invite', item: wishId(invite.id, joiner.id), by };
}

/** For who made an invite that came to nothing. */
export function cameToNothing(group: Group, invite: InviteRow, by: Caller | undefined): Notice {
  const words = {
    declined: 'was declined',
    withdrawn: 'was given back by who used it',
    revoked: 'was taken back',
    expired: 'has expired',
  };
  const whose = invite.invitee === '' ? '' : ` for ${invite.invitee}`;
  return {
    title: `Your invite${whose} into ${group.name} ${words[invite.why ?? 'expired']}`,
    body: '',
    link: frontPage,
    kind: 'invite',
    item: invite.id,
    by,
  };
}
