import { notFound } from '@hearth/errors';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../../directory/context.ts';
import { toAi } from '../../shared/domain/to-proto.ts';
import { findNamedAi } from '../actions/managed-ai.ts';

/** An AI as the caller may see it: whole when it is theirs, else what its card says. */
export function getAi(context: Context): UnaryHandler<typeof AisService.method.getAi> {
  return async (request, call) => {
    const ai = await findNamedAi(context, request.id, call.caller);
    if (ai === null) throw notFound();
    const sight = await context.sights.ofAi(ai, false, call);
    if (sight === null) throw notFound();
    // One that was switched off is gone for everybody else.
    if (ai.revokedAt !== null && sight !== 'whole') throw notFound();
    return toAi(ai, sight);
  };
}
