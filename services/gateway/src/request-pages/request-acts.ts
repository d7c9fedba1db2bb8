import { badRequest, isHearthError } from '@hearth/errors';
import {
  RelabelRequestRequestSchema,
  ReplyApprovalRequestSchema,
} from '@hearth/proto/approvals/v1/approvals';
import {
  AcceptRequestRequestSchema,
  BlockRequestSchema,
  DeclineRequestRequestSchema,
  ReportRequestSchema,
} from '@hearth/proto/approvals/v1/requests';
import type { Caller } from '@hearth/rpc';
import type { FollowedInvite, RequestItem } from '@hearth/web';
import type { ApprovalContext } from './context.ts';

/** What one act on a request came to: a word of `doneWords`. */
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

/** One request as a form names it. */
export type Named = Pick<RequestItem, 'id' | 'type'> & { digest: string };

type Acting = Pick<ApprovalContext, 'peers' | 'reader'>;

export async function sayYes(
  { peers, reader }: Acting,
  caller: Caller,
  item: Named,
): Promise<Done | FollowedInvite> {
  const { id, type } = item;
  if (type === 'approval') {
    const message = reader.readMessage(ReplyApprovalRequestSchema, {
      ...replyTo(item),
      decision: 'approved',
    });
    await peers.approvals.replyApproval(message, { caller });
    return 'approved';
  }
  const message = reader.readMessage(AcceptRequestRequestSchema, { id });
  const { status, next } = await peers.requests.acceptRequest(message, { caller });
  return type === 'message' ? 'accepted' : { joined: status !== 'waiting', next: next ?? '' };
}

export async function sayNo(
  { peers, reader }: Acting,
  caller: Caller,
  item: Named,
  note = '',
): Promise<Done> {
  const noted = note === '' ? {} : { note };
  if (item.type === 'approval') {
    const reply = { ...replyTo(item), ...noted, decision: 'declined' };
    await peers.approvals.replyApproval(reader.readMessage(ReplyApprovalRequestSchema, reply), { caller });
  } else {
    const message = reader.readMessage(DeclineRequestRequestSchema, { id: item.id, ...noted });
    await peers.requests.declineRequest(message, { caller });
  }
  return 'declined';
}

function replyTo({ id, digest }: Named): Record<string, string> {
  return { id, ...(digest !== '' && { ask_digest: digest }) };
}

export async function relabel(
  { peers, reader }: Acting,
  caller: Caller,
  { id }: Named,
  kind: string,
): Promise<Done> {
  const message = reader.readMessage(RelabelRequestRequestSchema, { id, kind });
  const { status } = await peers.approvals.relabelRequest(message, { caller });
  return status === 'declined' ? 'relabelled_declined' : 'relabelled';
}

export interface Complaint {
  /** The address that it came from. */
  from: string;
  reason: string;
  text: string;
}

/** Reported first: what is blocked is declined, and then not there to be looked at any more. */
export async function complain(
  { peers, reader }: Acting,
  caller: Caller,
  { id, type }: Named,
  act: 'block' | 'report' | 'both',
  { from, reason, text }: Complaint,
): Promise<Done> {
  if (act !== 'block') {
    const about = type === 'invite' ? from : id;
    const report = { about, reason, ...(text !== '' && { text }) };
    await peers.requests.report(reader.readMessage(ReportRequestSchema, report), { caller });
  }
  if (act !== 'report') {
    await peers.requests.block(reader.readMessage(BlockRequestSchema, { target: from }), { caller });
  }
  return act === 'both' ? 'blocked_reported' : act === 'block' ? 'blocked' : 'reported';
}

const settledCodes = new Set(['already_settled', 'not_waiting']);

/** Whether somebody else was faster, or the time was over. */
export function isTooLate(error: unknown): boolean {
  if (!isHearthError(error)) return false;
  return error.kind === 'not_found' || settledCodes.has(error.details.code ?? '');
}

/** Whether the ask is another than the page showed, or wants an answer in words. */
export function wantsAnotherLook(error: unknown): boolean {
  if (!isHearthError(error) || error.kind !== 'bad_request') return false;
  return error.details.code === 'ask_changed' || error.details.field === 'answer';
}

export function unknownAct(): Error {
  return badRequest('the page said nothing that can be done here; open it again and repeat what you did');
}
