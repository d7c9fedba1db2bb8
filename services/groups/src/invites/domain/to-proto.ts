import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { type People, shieldedTime } from '@hearth/people';
import {
  type Invite,
  InviteSchema,
  type WaitingJoin,
  WaitingJoinSchema,
} from '@hearth/proto/groups/v1/invites';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Caller } from '@hearth/rpc';
import { ageBandOf } from '../../shared/domain/enum-names.ts';
import type { AgeRules } from '../../shared/domain/fits.ts';
import type { InviteRow } from '../db/invites.ts';
import type { JoinRequest } from '../db/join-requests.ts';
import { withApproversNow } from './approvers-now.ts';
import { deliveries, statuses } from './enum-names.ts';
import { atMoment } from './invite-state.ts';
import { waitingFor } from './join-state.ts';

/** An invite as organizers see it: without its code, and with an app's item reference only for that app. */
export function toInvite(row: InviteRow, now: number, { app }: Pick<Caller, 'app'>): Invite {
  const invite = atMoment(row, now);
  return create(InviteSchema, {
    id: printId('inv', invite.id),
    group: printId('grp', invite.group),
    reusable: invite.reusable,
    ...agesOf(invite),
    ...(invite.invitee !== '' && { invitee: invite.invitee }),
    ...(invite.item_ref !== '' && invite.app === app && { itemRef: invite.item_ref }),
    createdBy: printId(invite.created_by_kind === 'ai' ? 'ai' : 'per', invite.created_by),
    status: statuses.valueOf(invite.status),
    expiresAt: timestampFromDate(invite.expires_at),
    ...(invite.reusable && { uses: invite.uses, maxUses: invite.max_uses }),
    ...(invite.why !== null && { why: invite.why }),
    ...(invite.delivery !== null && { delivery: deliveries.valueOf(invite.delivery) }),
  });
}

/** The ages of an invite, also as a single age if there is only one. */
export function agesOf({ for_ages }: Pick<InviteRow, 'for_ages'>) {
  const forAges = for_ages.map(ageBandOf);
  const [only, ...others] = forAges;
  return { forAges, ...(only !== undefined && others.length === 0 && { forAge: only }) };
}

/** Pending join requests as the caller may see them; shielded people last, in an order private to this caller. */
export function toWaiting(
  people: Pick<People, 'show'>,
  group: AgeRules,
  joins: readonly JoinRequest[],
  facts: ReadonlyMap<string, PersonFacts>,
  caller: Caller,
): WaitingJoin[] {
  const shown = joins.flatMap((join) => {
    const known = facts.get(join.person);
    if (known === undefined) return [];
    return [{ join: withApproversNow(group, join, known), person: people.show(known, caller) }];
  });
  const open = shown.filter(({ person }) => !person.shielded);
  const shielded = shown.filter(({ person }) => person.shielded);
  shielded.sort((one, other) => (one.person.id < other.person.id ? -1 : 1));
  return [...open, ...shielded].map(({ join, person }) =>
    create(WaitingJoinSchema, {
      person,
      ...(join.note !== '' && { note: join.note }),
      at: timestampFromDate(person.shielded ? shieldedTime(join.asked_at) : join.asked_at),
      waitingFor: waitingFor(join),
    }),
  );
}
