import { timestampDate } from '@bufbuild/protobuf/wkt';
import { day, nowDate } from '@hearth/clock';
import { badField } from '@hearth/errors';
import { sizeOf } from '@hearth/limits';
import type { AisService, SuspendAiRequest } from '@hearth/proto/identity/v1/ais';
import type { UnaryHandler } from '@hearth/rpc';
import { updateSuspension } from '../../shared/db/ai-changes.ts';
import { aiSuspended } from '../../shared/domain/ai-events.ts';
import { appsOf, findManagedAi, lockManagedAi } from '../actions/managed-ai.ts';
import type { Context } from '../context.ts';
import { toOperator } from '../domain/to-operator.ts';

/** Lets an AI do nothing until a moment; again, until another one. */
export const suspendAi =
  (context: Context): UnaryHandler<typeof AisService.method.suspendAi> =>
  async (request, { caller }) => {
    const { clock, commit } = context;
    const now = nowDate(clock);
    const until = readUntil(context, request, now);
    const { reason } = request;
    const managed = await findManagedAi(context, request.id, caller, ['operator']);
    const suspended = await commit(async (tx) => {
      const ai = await lockManagedAi(tx, managed);
      await updateSuspension(tx, ai.id, until, reason);
      tx.announce(aiSuspended(ai, { until, reason, apps: appsOf(ai, managed.owner) }, caller));
      tx.signal('credentials', ai.id);
      return { ...ai, suspendedUntil: until, suspendReason: reason };
    });
    return toOperator(suspended, now);
  };

function readUntil({ limits }: Context, { until }: SuspendAiRequest, now: Date): Date {
  const days = sizeOf(limits, 'suspension_days');
  const end = until === undefined ? now : timestampDate(until);
  if (end <= now || end.getTime() > now.getTime() + days * day) {
    throw badField(
      'until',
      `must be in the future, at most ${days} days; DELETE /v0/ais/{id} switches an AI off for good`,
    );
  }
  return end;
}
