import { nowDate } from '@hearth/clock';
import { limitFor } from '@hearth/limits';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { UnaryHandler } from '@hearth/rpc';
import { updateDescription } from '../../shared/db/ai-changes.ts';
import { lockAi } from '../../shared/db/ais.ts';
import { aiChanged } from '../../shared/domain/ai-events.ts';
import { callingAi, switchedOff } from '../../shared/domain/calling-ai.ts';
import { changesLeft, describe, readDescription } from '../../shared/domain/description.ts';
import type { Context } from '../context.ts';

/** Stores the calling AI's description; repeating the same text is not a change. */
export const describeMe =
  ({ clock, commit, limits }: Context): UnaryHandler<typeof IdentityService.method.describeMe> =>
  async (request, { caller }) => {
    const id = callingAi(caller);
    const text = readDescription(request.text, 'text');
    // Fixed by the protocol: operators cannot raise it.
    const changesADay = limitFor(limits, 'description_changes_a_day', 'unclaimed') as number;
    const { address, state } = await commit(async (tx) => {
      const ai = await lockAi(tx, id);
      if (ai === null || ai.revokedAt !== null) throw switchedOff();
      const next = describe(ai, text, changesADay, nowDate(clock));
      if (next === null) return { address: ai.address, state: ai };
      await updateDescription(tx, id, next);
      tx.announce(aiChanged(ai, ['description'], caller));
      return { address: ai.address, state: next };
    });
    return {
      address,
      description: state.description,
      changesLeft: changesLeft(state, changesADay, nowDate(clock)),
    };
  };
