import type { Context } from '../context.ts';
import type { WholePlan } from '../db/plans.ts';

/** Applies overdue changes so that a late job never exposes a stale state. */
export async function advance(context: Context, found: WholePlan): Promise<WholePlan> {
  const { row } = found;
  if (row.due_at === null || row.due_at.getTime() > context.clock.now())
    return await context.signing.now(found);
  return await pass(context, found);
}

/** Applies all overdue changes. */
export async function advanceNow(context: Context, id: string): Promise<void> {
  const found = await context.things.find(id);
  if (found !== null) await pass(context, found);
}

async function pass({ things }: Context, found: WholePlan): Promise<WholePlan> {
  return await things.actOn(found, () => ({ act: { kind: 'pass' } }));
}
