import { create } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type Admission,
  brokenRule,
  type Copies,
  type CopyState,
  type HomeThings,
  type OutgoingState,
} from '@hearth/home-acts';
import { t } from '@hearth/i18n';
import { printId } from '@hearth/ids';
import type { Announcement } from '@hearth/outbox';
import { addressOf, describePerson, isMinor } from '@hearth/people';
import { RequestKind } from '@hearth/proto/approvals/v1/approvals';
import { HomeInviteSchema, InviteStatus } from '@hearth/proto/groups/v1/invites';
import type { Profile } from '@hearth/proto/identity/v1/identity';
import { anonymous } from '@hearth/rpc';
import { findGroups, forgetJoined, noteJoined } from '../../groups/module.ts';
import { personNotified } from '../../shared/domain/notice.ts';
import type { Context } from '../context.ts';
import { findInvite } from '../db/invites.ts';
import { statuses } from '../domain/enum-names.ts';
import { atMoment } from '../domain/invite-state.ts';
import { needsReview } from '../domain/join-state.ts';

export type InviteCopies = Copies<typeof HomeInviteSchema>;
type State = CopyState<typeof HomeInviteSchema>;
type Deps = Pick<Context, 'clock' | 'database' | 'messages' | 'people' | 'rules'>;

/** Copies of remote invites to local people, and the state of local invites sent to other homes. */
export function createHomeInvites(context: Deps, things: HomeThings): InviteCopies {
  const invites: InviteCopies = things.kind('invite', {
    desc: HomeInviteSchema,
    factsOf({ createdAt, group, status }) {
      if (createdAt === undefined || group?.address.startsWith('&') !== true) return null;
      return { status: statuses.nameOf(status), startedAt: timestampDate(createdAt) };
    },
    async admit(state) {
      const { after, before, from, seats, to, toCount } = state;
      const { group, invitedBy, status } = after.message;
      if (group?.id.startsWith(`r:${after.home}:`) !== true)
        return brokenRule('body.object.group.id', 'must be of the home that sends it');
      if (from === null || from.address !== invitedBy)
        return brokenRule('body.object.invited_by', 'must be the address in from');
      if (toCount !== 1) return brokenRule('to', 'must be one address: an invite is for one person');
      const waiting = status === InviteStatus.WAITING;
      if (before !== null) return { seats: seats.map(({ viewer }) => ({ viewer, waiting })) };
      const [invited] = to;
      if (invited?.person !== true) return { refused: 'no_such_address' };
      return waiting ? await reach(context, state, from.id, invited) : { seats: [] };
    },
    // Joining and leaving are recorded here together with the act.
    async actReturned(tx, { operation, on, viewer, at }) {
      if (operation === 'leave_group') await forgetJoined(tx, viewer, on);
      if (operation !== 'accept_invite' && operation !== 'withdraw_join') return null;
      const group = (await invites.find(on, [viewer]))?.message.group?.id;
      if (group !== undefined && operation === 'withdraw_join') await forgetJoined(tx, viewer, group);
      if (group === undefined || operation === 'withdraw_join') return { viewer };
      return { viewer, joins: (await noteJoined(tx, viewer, group, at)) ? group : '' };
    },
    // Withdraws the consent if the remote home refused, however late. If the person was already in the group,
    // the consent stays.
    async actEnded(tx, { operation, kept: { viewer, joins } }, refused) {
      if (refused && operation === 'accept_invite' && typeof joins === 'string' && joins !== '')
        await forgetJoined(tx, String(viewer), joins);
    },
    current: (id) => inviteForHomes(context, id),
    asks: ({ group, invitedBy }) => ({ kind: 'invite', title: group?.name ?? '', from: invitedBy }),
  });
  return invites;
}

/** Applies the recipient's rules to a new invite, as a request of its inviter. */
async function reach(
  { messages, people, rules }: Deps,
  { after, standing }: State,
  sender: string,
  { id }: Profile,
): Promise<Admission> {
  const asked = { owners: [id], others: [sender] };
  const known = !standing.limited && (await messages.knowsParty(asked, { caller: anonymous })).known;
  if (!known && standing.firstContactsLeft < 1) return { refused: 'first_contact' };
  const { home } = after;
  const { reached } = await rules.checkReach(
    {
      reaches: [
        {
          ...{ sender, senderKind: 'person', senderAddress: after.message.invitedBy, home, checked: true },
          ...{ recipient: id, kind: RequestKind.OTHER, wroteBefore: known, count: true },
        },
      ],
    },
    { caller: anonymous },
  );
  const how = reached[0]?.how ?? '';
  // The remote home must not learn of a rule or block, so it sees an ordinary invite.
  if (!['inbox', 'requests', 'front_door'].includes(how)) return { seats: [] };
  const facts = await people.findOne(id);
  return {
    seats: [{ viewer: id, waiting: true }],
    firstContacts: known ? 0 : 1,
    news: [invited(after, id, facts?.app ?? '')],
  };
}

function invited({ id: item, message, reference }: State['after'], id: string, app: string): Announcement {
  const title = t('notices.invited', {
    ...{ whom: 'you', name: '' },
    who: message.name || message.invitedBy,
    group: message.group?.name ?? '',
  });
  const body = message.group?.address ?? '';
  return personNotified({ id, app }, '', { title, body, link: `/i/${reference}`, kind: 'invite', item });
}

/** The state of an invite (uuid) for the recipient's home; null if unknown, or if the recipient is local. */
async function inviteForHomes(
  { clock, database, people }: Deps,
  id: string,
): Promise<OutgoingState<typeof HomeInviteSchema> | null> {
  const stored = await findInvite(database.db, id);
  if (stored?.home == null || stored.to_person === null) return null;
  const invite = atMoment(stored, clock.now());
  const [[group], facts] = await Promise.all([
    findGroups(database.db, [invite.group], []),
    people.everywhere.find([stored.to_person, invite.created_by_person]),
  ]);
  const [person, inviter] = [facts.get(stored.to_person), facts.get(invite.created_by_person)];
  if (group === undefined || person === undefined || inviter === undefined || isMinor(inviter)) return null;
  const address = addressOf(inviter);
  return {
    id: printId('inv', id),
    message: create(HomeInviteSchema, {
      id: printId('inv', id),
      group: { id: printId('grp', group.id), name: group.name, address: `&${group.handle}` },
      invitedBy: address,
      name: inviter.name,
      status: statuses.valueOf(invite.status),
      createdAt: timestampFromDate(invite.created_at),
      expiresAt: timestampFromDate(invite.expires_at),
      needsReview: needsReview(group.join_review, false),
    }),
    final: invite.status === 'declined' || invite.status === 'used',
    homes: [{ home: stored.home, to: [addressOf(person)] }],
    from: { address, described: describePerson(inviter) },
    expiresAt: invite.expires_at,
  };
}
