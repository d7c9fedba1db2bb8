import { notFound } from '@hearth/errors';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../../directory/context.ts';
import { credentialsChanged } from '../../shared/actions/credentials.ts';
import { recordVouch } from '../../shared/actions/metrics.ts';
import { lockAi } from '../../shared/db/ais.ts';
import { ownAct } from '../../shared/domain/own-act.ts';
import { toAi } from '../../shared/domain/to-proto.ts';
import { unvouchLocked } from '../actions/part-with-ais.ts';
import { findVisibleAi } from './vouch-ai.ts';

/** Takes a person's word for an AI back. Without one, nothing changes. */
export function unvouchAi(context: Context): UnaryHandler<typeof AisService.method.unvouchAi> {
  const { bus, database, outbox } = context;
  return async (request, call) => {
    const person = ownAct(call.caller);
    const { id } = await findVisibleAi(context, request.id, call);
    const { ai, rows } = await database.transaction(async (tx) => {
      const present = await lockAi(tx, id);
      if (present === null || present.revokedAt !== null) throw notFound();
      const unvouched = await unvouchLocked(context, tx, present, person, call.caller);
      if (unvouched === null) return { ai: present, rows: [] };
      await outbox.announce(tx, [unvouched.row]);
      return { ai: unvouched.ai, rows: [unvouched.row] };
    });
    outbox.committed(rows);
    if (rows.length > 0) {
      credentialsChanged(bus, id);
      recordVouch({ given: false });
    }
    return toAi(ai, ai.owner === person ? 'whole' : 'stranger');
  };
}
