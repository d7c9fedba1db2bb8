import { nowDate } from '@hearth/clock';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { UnaryHandler } from '@hearth/rpc';
import { readSuspension } from '../../shared/actions/read-suspension.ts';
import { updateSuspension } from '../../shared/db/ai-changes.ts';
import { aiSuspended } from '../../shared/domain/ai-events.ts';
import { appsOf, findManagedAi, lockManagedAi } from '../actions/managed-ai.ts';
import type { Context } from '../context.ts';
import { toOperator } from '../domain/to-operator.ts';

/** Suspends an AI until a moment; repeating it changes the moment. */
export const suspendAi =
  (context: Context): UnaryHandler<typeof AisService.method.suspendAi> =>
  async (request, { caller }) => {
    const { clock, commit, limits } = context;
    const now = nowDate(clock);
    const instead = '; DELETE /v0/ais/{id} switches an AI off for good';
    const suspension = readSuspension(limits, request, now, instead);
    const { suspendedUntil: until, suspendReason: reason } = suspension;
    const managed = await findManagedAi(context, request.id, caller, ['operator']);
    const suspended = await commit(async (tx) => {
      const ai = await lockManagedAi(tx, managed);
      await updateSuspension(tx, ai.id, until, reason);
      tx.announce(aiSuspended(ai, { until, reason, apps: appsOf(ai, managed.owner) }, caller));
      tx.signal('credentials', ai.id);
      return { ...ai, ...suspension };
    });
    return toOperator(suspended, now);
  };
