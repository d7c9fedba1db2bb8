import type { Context } from '../context.ts';
import type { WholePlan } from '../db/plans.ts';

/** A plan with all done that is due about it, so that a late job shows no state that is over. */
export async function advance(context: Context, found: WholePlan): Promise<WholePlan> {
  const { row } = found;
  if (row.due_at === null || row.due_at.getTime() > context.clock.now())
    return await context.signing.now(found);
  return await pass(context, found);
}

/** Does what is due about a plan. */
export async function advanceNow(context: Context, id: string): Promise<void> {
  const found = await context.things.find(id);
  if (found !== null) await pass(context, found);
}

async function pass({ things }: Context, found: WholePlan): Promise<WholePlan> {
  return await things.actOn(found, () => ({ act: { kind: 'pass' } }));
}
