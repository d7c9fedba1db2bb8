import { notFound } from '@hearth/errors';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { UnaryHandler } from '@hearth/rpc';
import { toAi } from '../../shared/domain/to-proto.ts';
import { findNamedAi } from '../actions/managed-ai.ts';
import type { Context } from '../context.ts';

/** An AI as the caller may see it: whole when it is theirs, else what its card says. */
export const getAi =
  (context: Context): UnaryHandler<typeof AisService.method.getAi> =>
  async (request, call) => {
    const ai = await findNamedAi(context, request.id, call.caller);
    if (ai === null) throw notFound();
    const visibility = await context.visibility.ofAi(ai, false, call);
    if (visibility === null) throw notFound();
    // An AI that was switched off is gone for everyone else.
    if (ai.revokedAt !== null && visibility !== 'whole') throw notFound();
    return toAi(ai, visibility);
  };
