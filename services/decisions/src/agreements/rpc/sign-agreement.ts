import type { AgreementsService } from '@hearth/proto/decisions/v1/agreements';
import type { UnaryHandler } from '@hearth/rpc';
import { requireAi } from '../actions/calling-side.ts';
import { findVisible } from '../actions/find-visible.ts';
import { readSignature } from '../actions/own-signature.ts';
import { showAgreement } from '../actions/show-agreements.ts';
import type { Context } from '../context.ts';

/** The last signature that counts makes it ready. Repeated it answers the same. */
export const signAgreement =
  (context: Context): UnaryHandler<typeof AgreementsService.method.signAgreement> =>
  async ({ id, termsDigest, signature: given }, { caller }) => {
    requireAi(caller);
    const row = await findVisible(context, id, caller);
    const signature = await readSignature(context, row, given, caller);
    const { state } = await context.agreements.act(row.id, () => ({
      act: { kind: 'sign', ai: caller.id, termsDigest, signature },
      by: caller,
    }));
    return showAgreement(context, await context.signing.now(state, caller), caller);
  };
