import { notFound } from '@hearth/errors';
import { AgreementsService, type SignAgreementRequest } from '@hearth/proto/decisions/v1/agreements';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import { requireAi } from '../actions/calling-side.ts';
import { changeCopy } from '../actions/change-copy.ts';
import { copied } from '../actions/copied.ts';
import { findVisible } from '../actions/find-visible.ts';
import { findCopy, onCopy } from '../actions/on-copy.ts';
import { readSignature } from '../actions/own-signature.ts';
import { statusOf } from '../actions/read-sides.ts';
import { showAgreement } from '../actions/show-agreements.ts';
import type { Context } from '../context.ts';
import { requireLetIn, type SignedElsewhere } from '../domain/machine.ts';
import { signingOf } from '../domain/signing.ts';

/** The last signature that counts makes it ready. Repeated it answers the same. */
export const signAgreement =
  (context: Context): UnaryHandler<typeof AgreementsService.method.signAgreement> =>
  async (request, { caller }) => {
    requireAi(caller);
    const { id, termsDigest, signature: given } = request;
    const copy = await findCopy(context, id, caller);
    if (copy !== null) return await signElsewhere(context, copy, request, caller);
    const row = await findVisible(context, id, caller);
    const signing = signingOf(context.homeNames.ownHome, row);
    const signature = await readSignature(context, signing, given, caller);
    const elsewhere = signedElsewhere(context, caller);
    const { state } = await context.agreements.act(row.id, () => ({
      act: { kind: 'sign', ai: caller.id, termsDigest, signature, elsewhere },
      by: caller,
    }));
    return showAgreement(context, await context.signing.now(state, caller), caller);
  };

/** The word of the home of an AI of another one; undefined for an AI of this home. */
function signedElsewhere({ acts }: Pick<Context, 'acts'>, caller: Caller): SignedElsewhere | undefined {
  const act = acts.of(caller);
  if (act === null) return undefined;
  const { name, aiStatus } = caller;
  return { name, status: statusOf(aiStatus), approved: act.withPerson, item: act.item };
}

/** Its person's word goes with it once they gave it: its home relies on this one for that. */
async function signElsewhere(
  context: Context,
  copy: NonNullable<Awaited<ReturnType<typeof findCopy>>>,
  request: SignAgreementRequest,
  caller: Caller,
) {
  const side = copied(copy).sides.find((one) => one.home === undefined && one.ai === caller.id);
  if (side === undefined) throw notFound();
  requireLetIn(side);
  const signature = await readSignature(context, copy.message.signing ?? {}, request.signature, caller);
  if (signature !== null) await changeCopy(context, copy.id, { kind: 'keep', ai: caller.id }, { signature });
  const proof = side.approval !== null && side.approvedAt !== null ? 'tap' : undefined;
  const method = AgreementsService.method.signAgreement;
  return await onCopy(context, copy, { method, request, caller, proof });
}
