import { notFound } from '@hearth/errors';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { UnaryHandler } from '@hearth/rpc';
import { toAi } from '../../shared/domain/to-proto.ts';
import { findNamedAi } from '../actions/managed-ai.ts';
import type { Context } from '../context.ts';

/** The AI as the caller may see it: in full if it is theirs, otherwise its card's facts. */
export const getAi =
  (context: Context): UnaryHandler<typeof AisService.method.getAi> =>
  async (request, call) => {
    const ai = await findNamedAi(context, request.id, call.caller);
    if (ai === null) throw notFound();
    const visibility = await context.visibility.ofAi(ai, false, call);
    if (visibility === null) throw notFound();
    // For everyone else, an AI that was switched off does not exist.
    if (ai.revokedAt !== null && visibility !== 'whole') throw notFound();
    return toAi(ai, visibility);
  };
