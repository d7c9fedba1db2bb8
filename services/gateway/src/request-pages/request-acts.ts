import { badRequest, isHearthError } from '@hearth/errors';
import { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import { RequestsService } from '@hearth/proto/approvals/v1/requests';
import type { Caller } from '@hearth/rpc';
import type { FollowedInvite, RequestItem } from '@hearth/web';
import { type Context, nextWords } from '../pages/module.ts';

const { replyApproval, relabelRequest } = ApprovalsService.method;
const { acceptRequest, declineRequest, report, block } = RequestsService.method;

/** The outcome of an act on a request: a key of `doneWords`. */
export type Done =
  | 'approved'
  | 'accepted'
  | 'declined'
  | 'relabelled'
  | 'relabelled_declined'
  | 'blocked'
  | 'reported'
  | 'blocked_reported'
  | 'late';

/** A request as a form names it. */
export type Named = Pick<RequestItem, 'id' | 'type'> & { digest: string };

type Deps = Pick<Context, 'send'>;

export async function sayYes({ send }: Deps, caller: Caller, item: Named): Promise<Done | FollowedInvite> {
  const { id, type } = item;
  if (type === 'approval') {
    await send(replyApproval, { ...replyTo(item), decision: 'approved' }, caller);
    return 'approved';
  }
  const accepted = await send(acceptRequest, { id }, caller);
  return type === 'message'
    ? 'accepted'
    : { joined: accepted.status !== 'waiting', next: nextWords(accepted) };
}

export async function sayNo({ send }: Deps, caller: Caller, item: Named, note = ''): Promise<Done> {
  const noted = note === '' ? {} : { note };
  if (item.type === 'approval') {
    await send(replyApproval, { ...replyTo(item), ...noted, decision: 'declined' }, caller);
  } else {
    await send(declineRequest, { id: item.id, ...noted }, caller);
  }
  return 'declined';
}

function replyTo({ id, digest }: Named): Record<string, string> {
  return { id, ...(digest !== '' && { ask_digest: digest }) };
}

export async function relabel({ send }: Deps, caller: Caller, { id }: Named, kind: string): Promise<Done> {
  const { status } = await send(relabelRequest, { id, kind }, caller);
  return status === 'declined' ? 'relabelled_declined' : 'relabelled';
}

export interface Complaint {
  /** The sender's address. */
  from: string;
  reason: string;
  text: string;
}

/** Reports before blocking: a blocked request is declined, and can then no longer be reported. */
export async function complain(
  { send }: Deps,
  caller: Caller,
  { id, type }: Named,
  act: 'block' | 'report' | 'both',
  { from, reason, text }: Complaint,
): Promise<Done> {
  if (act !== 'block') {
    const about = type === 'invite' || type === 'agreement' ? from : id;
    await send(report, { about, reason, ...(text !== '' && { text }) }, caller);
  }
  if (act !== 'report') await send(block, { target: from }, caller);
  return act === 'both' ? 'blocked_reported' : act === 'block' ? 'blocked' : 'reported';
}

const settledCodes = new Set(['already_settled', 'not_waiting']);

/** Whether another person was faster, or the request expired. */
export function isTooLate(error: unknown): boolean {
  if (!isHearthError(error)) return false;
  return error.kind === 'not_found' || settledCodes.has(error.details.code ?? '');
}

/** Whether the ask changed since the page showed it, or needs a written answer. */
export function wantsAnotherLook(error: unknown): boolean {
  if (!isHearthError(error) || error.kind !== 'bad_request') return false;
  return error.details.code === 'ask_changed' || error.details.field === 'answer';
}

export function unknownAct(): Error {
  return badRequest('this page can’t do that; open it again and repeat what you did', {
    code: 'bad_field',
    field: 'do',
  });
}
