import type { MessageShape } from '@bufbuild/protobuf';
import type { SeenCopy } from '@hearth/home-acts';
import { printId } from '@hearth/ids';
import type { Agreement, AgreementSchema, AgreementsService } from '@hearth/proto/decisions/v1/agreements';
import { writeMessage } from '@hearth/proto-json';
import type { Caller } from '@hearth/rpc';
import type { JsonObject } from '@hearth/signing';
import { findElsewhere } from '../../shared/actions/elsewhere.ts';
import type { Context } from '../context.ts';
import { isVerified, type Side } from '../domain/agreement.ts';
import { copied } from './copied.ts';

export type Seen = SeenCopy<typeof AgreementSchema>;
/** Those that the sides of other homes do there. */
export type Federated = (typeof AgreementsService.method)[
  | 'signAgreement'
  | 'declineAgreement'
  | 'settleAgreement'];

/** The agreement of another home that a caller means, as they see it by themselves: an AI sees not all that its person does. */
export async function findCopy({ copies }: Pick<Context, 'copies'>, reference: string, caller: Caller) {
  return await findElsewhere(copies, reference, caller, caller.id);
}

/** An agreement of another home as the caller may see it. */
export function showCopy(copy: Seen, caller: Caller): Agreement {
  const { message, pending } = copy;
  const kept = copied(copy).sides;
  const isOf = ({ ai, home, person }: Side) =>
    home === undefined && (ai === caller.id || person === caller.id);
  const own = kept.find((side) => isOf(side) && side.approval !== null && side.asked);
  return {
    ...message,
    sides: message.sides.map((side, index) => ({
      ...side,
      nameVerified: isVerified(kept[index] as Side),
      yours: isOf(kept[index] as Side),
    })),
    ...(own !== undefined && { approval: printId('apr', own.approval as string) }),
    ...(pending && { pending }),
  };
}

/** Does it at the agreement's home; the agreement is pending while that home has not answered. */
export async function onCopy<Method extends Federated>(
  context: Context,
  copy: Seen,
  {
    method,
    request,
    caller,
    proof,
  }: {
    method: Method;
    request: MessageShape<Method['input']>;
    caller: Caller;
    proof?: string | undefined;
  },
): Promise<Agreement> {
  const { id: _, ...body } = writeMessage(method.input, request) as JsonObject;
  const kept = { viewer: caller.id };
  const answer = await context.copies.call(copy, { method, request: body, caller, proof, kept });
  const now = (await findCopy(context, copy.reference, caller)) ?? copy;
  if (answer === null) return showCopy({ ...now, pending: true }, caller);
  const { revision } = answer as Agreement;
  const message = revision > now.message.revision ? (answer as Agreement) : now.message;
  return showCopy({ ...now, message, pending: false }, caller);
}
