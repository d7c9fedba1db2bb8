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
import { nextElsewhere, nextSteps } from '../domain/next-steps.ts';

type Found = SeenCopy<typeof HomeInviteSchema>;

/**
 * Finds the remote invite that a caller means; null for a local invite.
 *
 * @throws not_found for an invite that is not the caller's
 */
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

/**
 * Accepts an invite at its remote home, and records the consent here: without it, no home can add the person
 * to a group.
 */
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
    // Does not show the remote home's text; for an adult, only an organizer has to agree.
    ...nextSteps(copy.message.group?.name ?? '', waitingFor, null),
  };
}

/** Repeats the answer given on accepting, while the person waits; otherwise has no status. */
export async function waitingElsewhere({ homeInvites }: Context, copy: Found, person: string) {
  if (copy.final) return {};
  if (copy.pending) return onItsWay(copy);
  const answer = await homeInvites.lastAnswer(copy, 'accept_invite', person);
  if (answer === null) return {};
  const waitingFor: Approver[] = ['organizer'];
  const next = nextSteps(copy.message.group?.name ?? '', waitingFor, null);
  return { status: JoinStatus.WAITING, waitingFor, ...next };
}

const onItsWay = ({ home }: Found) => ({
  ...{ status: JoinStatus.WAITING, waitingFor: [], pending: true },
  ...nextElsewhere(home),
});

/** Declines the remote invite, or withdraws the join request. */
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
