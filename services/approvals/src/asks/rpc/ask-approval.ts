import { toBinary } from '@bufbuild/protobuf';
import { badRequest, internal } from '@hearth/errors';
import { callerKindOf } from '@hearth/limits';
import { type AskApprovalRequest, AskApprovalRequestSchema } from '@hearth/proto/approvals/v1/approvals';
import { rememberedRequest } from '@hearth/requests';
import type { Call, Caller } from '@hearth/rpc';
import { kindWord } from '../../shared/domain/request-kinds.ts';
import { announceAsk } from '../actions/announce-ask.ts';
import { askRows } from '../actions/ask-rows.ts';
import { findAsker } from '../actions/find-asker.ts';
import { reachRecipients, turnedAway } from '../actions/reach-recipients.ts';
import { type ReadAsk, readAsk } from '../actions/read-ask.ts';
import { showApproval } from '../actions/show-approvals.ts';
import { writeAsk } from '../actions/write-ask.ts';
import type { Context } from '../context.ts';
import type { ApprovalRow } from '../db/approvals.ts';
import { findRequested, type WholeApproval } from '../db/whole-approvals.ts';
import type { ApprovalsHandlers } from './index.ts';

export const askApproval =
  (context: Context): ApprovalsHandlers['askApproval'] =>
  async (request, call) => {
    const { caller } = call;
    const remembered = rememberedOf(request, caller);
    const before = remembered === null ? null : await findRepeated(context, remembered);
    if (before !== null) return await repeat(context, before, call);

    const asker = await findAsker(context, caller);
    const { content, recipients, about } = await readAsk(context, request, asker, call);
    await count(context, recipients, caller);
    const kind = kindWord(request.requestKind);
    const reached = await reachRecipients(context, asker, recipients, kind, about?.child.id ?? null);
    const refusal = turnedAway(reached, content.needs);
    if (refusal !== null) throw refusal;

    const rows = askRows(context, { ...content, ...remembered }, asker, reached);
    const events = await announceAsk(context, rows, reached, caller);
    const written = await writeAsk(context, rows, events, caller);
    if (written !== null) return await showApproval(context, written, caller);
    // The same request was being done at the same time.
    const other = remembered === null ? null : await findRepeated(context, remembered);
    if (other === null) throw internal('an ask was not written and is not there');
    return await repeat(context, other, call);
  };

type Remembered = Pick<ApprovalRow, 'request_scope' | 'request_id' | 'request_digest'>;

/** A request_id is kept for ever, with what it made. */
function rememberedOf(request: AskApprovalRequest, caller: Caller): Remembered | null {
  const { requestId, ...rest } = request;
  if (requestId === undefined) return null;
  const body = toBinary(AskApprovalRequestSchema, rest as AskApprovalRequest);
  const { key, digest } = rememberedRequest(caller, 'ask_approval', requestId, body);
  return { request_scope: key.scope, request_id: requestId, request_digest: digest };
}

/** @throws bad_request (request_id_reused) when the id was used for another ask */
async function findRepeated({ database }: Context, remembered: Remembered): Promise<WholeApproval | null> {
  const { request_scope, request_id, request_digest } = remembered;
  const found = await findRequested(database.db, request_scope as string, request_id as string);
  if (found === null || found.approval.request_digest?.equals(request_digest as Buffer)) return found;
  throw badRequest(
    `request_id: "${request_id}" was used for another ask before; the same id repeats an ask, a new one needs a new id`,
    { code: 'request_id_reused', field: 'request_id' },
  );
}

async function repeat(context: Context, approval: WholeApproval, call: Call) {
  call.answerWith(200);
  return await showApproval(context, approval, call.caller);
}

/** What reaches others is counted before anything of it is looked at: finding out costs as much as asking. */
async function count({ limiter }: Context, recipients: ReadAsk['recipients'], caller: Caller): Promise<void> {
  const kind = callerKindOf(caller);
  await limiter.consume('asks_a_day', caller.id, kind);
  const mails = recipients.filter((recipient) => recipient.kind === 'email');
  if (mails.length > 0) await limiter.consume('ask_mails_a_day', caller.id, kind, mails.length);
}
