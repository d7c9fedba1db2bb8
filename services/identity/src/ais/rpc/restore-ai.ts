import { nowDate } from '@hearth/clock';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { UnaryHandler } from '@hearth/rpc';
import { appsOf, findManagedAi, lockManagedAi } from '../actions/managed-ai.ts';
import { restoreLocked } from '../actions/restore-locked.ts';
import type { Context } from '../context.ts';
import { toOperator } from '../domain/to-operator.ts';

/** Ends a suspension; an AI that is not suspended stays as it is. */
export const restoreAi =
  (context: Context): UnaryHandler<typeof AisService.method.restoreAi> =>
  async (request, { caller }) => {
    const managed = await findManagedAi(context, request.id, caller, ['operator']);
    const restored = await context.commit(async (tx) => {
      const ai = await lockManagedAi(tx, managed);
      if (ai.suspendedUntil === null) return ai;
      const apps = appsOf(ai, managed.owner);
      return await restoreLocked(tx, ai, { reason: request.reason, apps, by: caller });
    });
    return toOperator(restored, nowDate(context.clock));
  };
