import { PlansService } from '@hearth/proto/decisions/v1/plans';
import type { UnaryHandler } from '@hearth/rpc';
import { findRun } from '../actions/find-visible.ts';
import { showPlan } from '../actions/show-plans.ts';
import type { Context } from '../context.ts';
import { readOption } from '../domain/read-options.ts';

/** Adds an option; its people are asked for a word on it. */
export const addOption =
  (context: Context): UnaryHandler<typeof PlansService.method.addOption> =>
  async (request, call) =>
    await context.idempotency.once(call, PlansService.method.addOption, request, {
      async make(claim) {
        const { clock, plans } = context;
        const { row } = await findRun(context, request.id, call.caller);
        const option = readOption(request, row.time_zone, clock.now());
        const state = await plans.act(row.id, async (_, tx) => {
          await claim(tx, { id: row.id });
          return { act: { kind: 'add', option }, by: call.caller };
        });
        return await showPlan(context, state, call.caller);
      },
      repeat: async () =>
        await showPlan(context, await findRun(context, request.id, call.caller), call.caller),
    });
