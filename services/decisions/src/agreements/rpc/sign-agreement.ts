import { forbidden, type HearthError, notFound } from '@hearth/errors';
import { AgreementsService, type SignAgreementRequest } from '@hearth/proto/decisions/v1/agreements';
import type { Caller, UnaryHandler } from '@hearth/rpc';
import { actAsSide } from '../actions/act-as-side.ts';
import { changeCopy } from '../actions/change.ts';
import { copied, type Seen } from '../actions/copied.ts';
import { isFamilyNow } from '../actions/family-now.ts';
import { readSignature } from '../actions/own-signature.ts';
import { familyAlone, statusOf } from '../actions/read-sides.ts';
import type { Context } from '../context.ts';
import { ownerWordIn } from '../domain/agreement.ts';
import { requireLetIn, type SignedElsewhere } from '../domain/machine.ts';
import { ownSigning } from '../domain/signing.ts';

const { signAgreement: method } = AgreementsService.method;

/** Signs the agreement; the last signature that counts makes it ready. Idempotent. */
export const signAgreement =
  (context: Context): UnaryHandler<typeof AgreementsService.method.signAgreement> =>
  async (request, { caller }) =>
    await actAsSide(
      context,
      { method, request, caller },
      async (row) => {
        if (row.status === 'open' && !(await isFamilyNow(context, row.sides))) throw notFamily(caller);
        const signing = ownSigning(context.homeNames.ownHome, row);
        const signature = await readSignature(context, signing, request.signature, caller);
        const elsewhere = signedElsewhere(context, caller);
        return { kind: 'sign', ai: caller.id, termsDigest: request.termsDigest, signature, elsewhere };
      },
      (copy) => ownerWordOf(context, copy, request, caller),
    );

function notFamily({ minor }: Caller): HearthError {
  return minor
    ? familyAlone()
    : forbidden('a side of this agreement takes it from you no more', { code: 'turned_away' });
}

/** The facts that a remote AI's home states; undefined for a local AI. */
function signedElsewhere({ acts }: Pick<Context, 'acts'>, caller: Caller): SignedElsewhere | undefined {
  const act = acts.of(caller);
  if (act === null) return undefined;
  const { name, aiStatus } = caller;
  return { name, status: statusOf(aiStatus), approved: act.ownerApproved, item: act.item };
}

/** The owner's approval, sent with the signature: the agreement's home relies on this home for it. */
async function ownerWordOf(context: Context, copy: Seen, request: SignAgreementRequest, caller: Caller) {
  const side = copied(copy).sides.find((party) => party.home === undefined && party.ai === caller.id);
  if (side === undefined) throw notFound();
  requireLetIn(side);
  const signature = await readSignature(context, copy.message.signing ?? {}, request.signature, caller);
  if (signature !== null)
    await changeCopy(context, copy.id, () => ({ kind: 'own key', ai: caller.id, signature }));
  return ownerWordIn(side);
}
