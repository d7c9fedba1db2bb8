import { notFound } from '@hearth/errors';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { UnaryHandler } from '@hearth/rpc';
import { recordVouch } from '../../shared/actions/metrics.ts';
import { lockAi } from '../../shared/db/ais.ts';
import { ownAct } from '../../shared/domain/own-act.ts';
import { toAi } from '../../shared/domain/to-proto.ts';
import { findVisibleAi } from '../actions/managed-ai.ts';
import { unvouchLocked } from '../actions/part-with-ais.ts';
import type { Context } from '../context.ts';

/** Withdraws a person's vouch for an AI; changes nothing if there is none. */
export const unvouchAi =
  (context: Context): UnaryHandler<typeof AisService.method.unvouchAi> =>
  async (request, call) => {
    const person = ownAct(call.caller);
    const { id } = await findVisibleAi(context, request.id, call);
    const { ai, changed } = await context.commit(async (tx) => {
      const present = await lockAi(tx, id);
      if (present === null || present.revokedAt !== null) throw notFound();
      const unvouched = await unvouchLocked(tx, present, person, call.caller);
      return { ai: unvouched ?? present, changed: unvouched !== null };
    });
    if (changed) recordVouch({ given: false });
    return toAi(ai, ai.owner === person ? 'whole' : 'stranger');
  };
