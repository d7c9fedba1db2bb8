import { nowDate } from '@hearth/clock';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { UnaryHandler } from '@hearth/rpc';
import { updateDescription } from '../../shared/db/ai-changes.ts';
import { lockAi } from '../../shared/db/ais.ts';
import { aiChanged } from '../../shared/domain/ai-events.ts';
import { callingAi, switchedOff } from '../../shared/domain/calling-ai.ts';
import { changesLeft, describe, readDescription } from '../../shared/domain/description.ts';
import type { Context } from '../context.ts';

/** Stores the calling AI's line about itself. The same text again is no change. */
export function describeMe(context: Context): UnaryHandler<typeof IdentityService.method.describeMe> {
  const { clock, database, limits, outbox } = context;
  return async (request, call) => {
    const id = callingAi(call.caller);
    const text = readDescription(request.text, 'text');
    const { address, state, rows } = await database.transaction(async (tx) => {
      const ai = await lockAi(tx, id);
      if (ai === null || ai.revokedAt !== null) throw switchedOff();
      const next = describe(ai, text, limits.descriptionChangesADay, nowDate(clock));
      if (next === null) return { address: ai.address, state: ai, rows: [] };
      await updateDescription(tx, id, next);
      const announced = [aiChanged(outbox, ai, ['description'], call.caller)];
      await outbox.announce(tx, announced);
      return { address: ai.address, state: next, rows: announced };
    });
    outbox.committed(rows);
    return {
      address,
      description: state.description,
      changesLeft: changesLeft(state, limits.descriptionChangesADay, nowDate(clock)),
    };
  };
}
