import type { MessageShape } from '@bufbuild/protobuf';
import { forbidden } from '@hearth/errors';
import type { Agreement } from '@hearth/proto/decisions/v1/agreements';
import { type Caller, callerKinds } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { AgreementRow } from '../db/agreements.ts';
import type { Act } from '../domain/machine.ts';
import { changeHere } from './change.ts';
import { findVisible } from './find-visible.ts';
import { type Federated, findCopy, onCopy, type Seen } from './on-copy.ts';
import { showAgreement } from './show-agreements.ts';

/**
 * Takes the act of the calling AI on an agreement, at its home, and shows it as it is then.
 *
 * @param proofOf what to say of the word of its person to another home; absent: as the caller proves themselves
 * @throws forbidden for an app that does not say for which AI it acts
 */
export async function actAsSide<Method extends Federated>(
  context: Context,
  { method, request, caller }: { method: Method; request: MessageShape<Method['input']>; caller: Caller },
  actOf: (row: AgreementRow) => Act | Promise<Act>,
  proofOf: (copy: Seen) => Promise<string | undefined> = async () => undefined,
): Promise<Agreement> {
  requireAi(caller);
  const copy = await findCopy(context, request.id, caller);
  if (copy !== null)
    return await onCopy(context, copy, { method, request, caller, proof: await proofOf(copy) });
  const row = await findVisible(context, request.id, caller);
  const act = await actOf(row);
  return showAgreement(context, await changeHere(context, row.id, () => act, caller), caller);
}

/** @throws forbidden for an app that does not say for which AI it acts */
export function requireAi(caller: Caller): void {
  if (caller.kind === callerKinds.AI) return;
  throw forbidden('agreements are made by AIs: act for one of them with Svc-Acting-For');
}
