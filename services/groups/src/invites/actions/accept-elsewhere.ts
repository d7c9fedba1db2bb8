import { notFound } from '@hearth/errors';
import type { SeenCopy } from '@hearth/home-acts';
import type { UnitOfWork } from '@hearth/outbox';
import {
  type AcceptInviteRequest,
  type HomeInviteSchema,
  InvitesService,
  JoinStatus,
} from '@hearth/proto/groups/v1/invites';
import { type Caller, personOf } from '@hearth/rpc';
import { forgetJoined, noteJoined } from '../../groups/module.ts';
import type { Context } from '../context.ts';
import type { Approver } from '../domain/join-state.ts';
import { nextSteps } from '../domain/next-steps.ts';

type Found = SeenCopy<typeof HomeInviteSchema>;

/** The invite of another home that a caller means; null for one of this home. @throws not_found for one that is not theirs */
export async function findElsewhere(
  { homeInvites }: Pick<Context, 'homeInvites'>,
  code: string,
  caller: Caller,
): Promise<Found | null> {
  const person = personOf(caller);
  if (!code.startsWith('r:')) return null;
  const copy = await homeInvites.find(code, person === null ? [] : [person]);
  if (copy === undefined) throw notFound();
  return copy;
}

/** Says yes to it at its home. Their word is noted here with that: without it no home can put them into a group. */
export async function acceptElsewhere(
  { clock, homeInvites }: Context,
  copy: Found,
  { note }: Pick<AcceptInviteRequest, 'note'>,
  caller: Caller,
) {
  const person = personOf(caller);
  const group = copy.message.group?.id;
  if (person === null || group === undefined) throw notFound();
  const kept = { viewer: person, joins: '' };
  const call = {
    method: InvitesService.method.acceptInvite,
    request: note === undefined ? {} : { note },
    caller,
    kept,
    async here(tx: UnitOfWork) {
      kept.joins = (await noteJoined(tx, person, group, new Date(clock.now()))) ? group : '';
    },
  };
  const answer = await homeInvites.call(copy, call);
  if (answer === null) return onItsWay(copy);
  const { member, status } = answer;
  const waitingFor: Approver[] = status === JoinStatus.JOINED ? [] : ['organizer'];
  return {
    ...{ status, waitingFor },
    ...(member !== undefined && { member }),
    ...(status === JoinStatus.JOINED && { group }),
    // The words of the other home are none of this one; an adult waits for an organizer alone.
    next: nextSteps(copy.message.group?.name ?? '', waitingFor, null),
  };
}

/** The answer that they had when they said yes to it, while they wait; without a status where they do not. */
export async function waitingElsewhere({ homeInvites }: Context, copy: Found, person: string) {
  if (copy.final) return {};
  if (copy.pending) return onItsWay(copy);
  const answer = await homeInvites.lastAnswer(copy, 'accept_invite', person);
  if (answer === null) return {};
  const waitingFor: Approver[] = ['organizer'];
  const next = nextSteps(copy.message.group?.name ?? '', waitingFor, null);
  return { status: JoinStatus.WAITING, waitingFor, next };
}

const onItsWay = ({ home }: Found) => ({
  ...{ status: JoinStatus.WAITING, waitingFor: [], pending: true },
  next: `Your yes is on its way to ${home}`,
});

/** Declines it, or takes back the wish to join by it. */
export async function withdrawElsewhere(
  { homeInvites }: Context,
  copy: Found,
  caller: Caller,
): Promise<void> {
  const person = personOf(caller);
  const group = copy.message.group?.id;
  if (person === null || group === undefined) throw notFound();
  await homeInvites.call(copy, {
    method: InvitesService.method.withdrawJoin,
    request: {},
    caller,
    kept: { viewer: person },
    here: (tx) => forgetJoined(tx, person, group),
  });
}
