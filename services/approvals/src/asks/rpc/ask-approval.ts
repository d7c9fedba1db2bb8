import { badField, internal } from '@hearth/errors';
import { type IdempotencyKey, idempotencyKey, requestIdUsed } from '@hearth/idempotency';
import { callerKindOf, limitFor } from '@hearth/limits';
import { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { Call, Caller, UnaryHandler } from '@hearth/rpc';
import { kindNameOf } from '../../shared/domain/request-kinds.ts';
import { announceAsk } from '../actions/announce-ask.ts';
import { askRows } from '../actions/ask-rows.ts';
import { findAsker } from '../actions/find-asker.ts';
import { mixedAges, placeRecipients, turnedAway } from '../actions/place-recipients.ts';
import { type ReadAsk, readAsk } from '../actions/read-ask.ts';
import { showApproval } from '../actions/show-approvals.ts';
import { writeAsk } from '../actions/write-ask.ts';
import type { Context } from '../context.ts';
import { findRequested, type WholeApproval } from '../db/whole-approvals.ts';
import { askState, isAway } from '../domain/home-ask.ts';

export const askApproval =
  (context: Context): UnaryHandler<typeof ApprovalsService.method.askApproval> =>
  async (request, call) => {
    const { caller } = call;
    const key = idempotencyKey(caller, ApprovalsService.method.askApproval, request);
    const before = await findRepeated(context, key);
    if (before !== null) return await repeat(context, before, call);

    const asker = await findAsker(context, caller);
    const { content, recipients, about } = await readAsk(context, request, asker, call);
    // After all other checks: a challenge is a request to someone else's host.
    if (content.callback !== null) await context.verifyCallback(content.callback, call);
    await count(context, recipients, caller);
    const kind = kindNameOf(request.requestKind);
    const placements = await placeRecipients(context, asker, recipients, kind, about?.child.id ?? null);
    const refusal = turnedAway(placements, content.needs) ?? mixedAges(placements);
    if (refusal !== null) throw refusal;

    // A request_id is kept in the row, as long as the ask.
    const kept = key && { request_scope: key.scope, request_id: key.requestId, request_digest: key.digest };
    const rows = askRows(context, { ...content, ...kept }, asker, placements);
    const events = await announceAsk(context, rows, placements, caller);
    if (isAway(rows) && rows.approval.status === 'waiting')
      events.push(askState(rows, { names: context.homeNames, rev: 1, aiStatus: caller.aiStatus }));
    const written = await writeAsk(context, rows, events, caller);
    if (written !== null) return await showApproval(context, written, caller);
    // The same request was made concurrently.
    const other = await findRepeated(context, key);
    if (other === null) throw internal('an ask was not written and is not there');
    return await repeat(context, other, call);
  };

/** @throws bad_request (request_id_reused) if the id was used for another ask */
async function findRepeated(
  { database }: Context,
  key: IdempotencyKey | null,
): Promise<WholeApproval | null> {
  if (key === null) return null;
  const found = await findRequested(database.db, key.scope, key.requestId);
  if (found === null || found.approval.request_digest?.equals(key.digest)) return found;
  throw requestIdUsed(
    `"${key.requestId}" was used for another ask before; the same id repeats an ask, a new one needs a new id`,
  );
}

async function repeat(context: Context, approval: WholeApproval, call: Call) {
  call.answerWith(200);
  return await showApproval(context, approval, call.caller);
}

/**
 * Counts the ask before it is placed, so that probing costs as much as asking.
 *
 * @throws rate_limited; bad_field for more email addresses than allowed a day
 */
async function count(
  { limiter, limits }: Context,
  recipients: ReadAsk['recipients'],
  caller: Caller,
): Promise<void> {
  const kind = callerKindOf(caller);
  const mails = recipients.filter((recipient) => recipient.kind === 'email');
  const most = (kind && limitFor(limits, 'ask_mails_a_day', kind)) ?? mails.length;
  if (mails.length > most)
    throw badField('to', `has at most ${most} email addresses for you (ask_mails_a_day)`);
  await limiter.consumeAll([
    { limit: 'asks_a_day', key: caller.id, kind },
    ...(mails.length > 0
      ? [{ limit: 'ask_mails_a_day', key: caller.id, kind, points: mails.length } as const]
      : []),
    ...mails.map(
      ({ address }) => ({ limit: 'mails_of_strangers_a_day', key: address.toLowerCase(), kind }) as const,
    ),
  ]);
}
