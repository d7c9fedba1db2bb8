import type { MessageShape } from '@bufbuild/protobuf';
import type { Agreement, AgreementsService } from '@hearth/proto/decisions/v1/agreements';
import type { Caller } from '@hearth/rpc';
import type { JsonObject } from '@hearth/signing';
import { bodyOf } from '../../shared/actions/elsewhere.ts';
import type { Context } from '../context.ts';
import type { AgreementRow } from '../db/agreements.ts';
import type { OwnerWord } from '../domain/agreement.ts';
import type { Act } from '../domain/machine.ts';
import { changeCopy, changeHere } from './change.ts';
import { findCopy, type Seen, showCopy } from './copied.ts';
import { findVisible } from './find-visible.ts';
import { showAgreement } from './show-agreements.ts';

/** Operations that a side of another home performs at the agreement's home. */
type Federated = (typeof AgreementsService.method)['signAgreement' | 'declineAgreement' | 'settleAgreement'];

/**
 * Performs the calling AI's act at the agreement's home and returns the resulting agreement.
 *
 * @param ownerWordOf the owner's approval, sent along to a remote home
 */
export async function actAsSide<Method extends Federated>(
  context: Context,
  { method, request, caller }: { method: Method; request: MessageShape<Method['input']>; caller: Caller },
  actOf: (row: AgreementRow) => Act | Promise<Act>,
  ownerWordOf: (copy: Seen) => Promise<OwnerWord | undefined> = async () => undefined,
): Promise<Agreement> {
  const copy = await findCopy(context, request.id, caller);
  if (copy !== null) {
    const body = bodyOf(method, request);
    const ownerApproved = (await ownerWordOf(copy)) as JsonObject | undefined;
    const call = { method, request: body, caller, ownerApproved, kept: { viewer: caller.id, request: body } };
    const answer = (await context.copies.call(copy, call)) as Agreement | null;
    // The owner's approval went with this call and isn't sent again.
    if (answer !== null && ownerApproved !== undefined)
      await changeCopy(context, copy.id, () => ({ kind: 'done', ai: caller.id, errand: 'vouch' }));
    const now = (await findCopy(context, copy.reference, caller)) ?? copy;
    // Pending until the remote home answers; the answer then decides the state.
    const isNewer = answer !== null && answer.revision > now.message.revision;
    return showCopy({ ...now, message: isNewer ? answer : now.message, pending: answer === null }, caller);
  }
  const row = await findVisible(context, request.id, caller);
  const act = await actOf(row);
  return showAgreement(context, await changeHere(context, row.id, () => act, caller), caller);
}
