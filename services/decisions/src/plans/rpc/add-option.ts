import { PlansService } from '@hearth/proto/decisions/v1/plans';
import type { UnaryHandler } from '@hearth/rpc';
import { course } from '../actions/course.ts';
import type { Context } from '../context.ts';
import { readOption } from '../domain/read-options.ts';

/** Adds an option; the people are asked about it. */
export const addOption =
  (context: Context): UnaryHandler<typeof PlansService.method.addOption> =>
  async (request, call) =>
    await context.idempotency.once(call, PlansService.method.addOption, request, {
      async make(claim) {
        const { clock, things } = context;
        const { row } = await course.findRun(context, request.id, call.caller);
        const option = readOption(request, row.time_zone, clock.now());
        const state = await things.act(row.id, async (_, tx) => {
          await claim(tx, { id: row.id });
          return { act: { kind: 'add', option }, by: call.caller };
        });
        return await course.show(context, state, call.caller);
      },
      repeat: async () =>
        await course.show(context, await course.findRun(context, request.id, call.caller), call.caller),
    });
