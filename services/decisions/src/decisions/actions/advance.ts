import type { Context } from '../context.ts';
import type { WholeDecision } from '../db/decisions.ts';
import { quietOf } from '../domain/assume.ts';
import { isHeard } from '../domain/decision.ts';
import { courseOf } from '../domain/state.ts';
import { assumedFor } from './assumed-for.ts';

/**
 * Applies overdue changes so that a late job never exposes a stale state; leaves those that need quiet
 * people's apps (five seconds each) to the job.
 */
export async function advance(context: Context, found: WholeDecision): Promise<WholeDecision> {
  const due = found.row.due_at !== null && found.row.due_at.getTime() <= context.clock.now();
  if (!due || mustAsk(found)) return await context.signing.now(found);
  return await doDue(context, found);
}

/** Applies all overdue changes, including those that ask apps. */
export async function advanceNow(context: Context, id: string): Promise<void> {
  const found = await context.things.find(id);
  if (found === null || found.row.due_at === null || found.row.due_at.getTime() > context.clock.now()) return;
  await doDue(context, found);
}

async function doDue(context: Context, found: WholeDecision): Promise<WholeDecision> {
  const { clock, things } = context;
  const { status, deadline_at } = found.row;
  if (status === 'open' && deadline_at.getTime() > clock.now())
    return await things.actOn(found, ({ row }) =>
      row.closing_told || row.status !== 'open'
        ? null
        : { tells: 'closing_soon', notes: { closing_told: true } },
    );
  const act =
    status === 'open'
      ? ({ kind: 'close', assumed: await assumedFor(context, found) } as const)
      : ({ kind: 'pass' } as const);
  return await context.signing.now(await things.actOn(found, () => ({ act })));
}

/** Whether the deadline has passed and quiet people's apps must be asked. */
function mustAsk(whole: WholeDecision): boolean {
  const { status, people } = courseOf(whole);
  return status === 'open' && people.some(isHeard) && quietOf(courseOf(whole)).length > 0;
}
