import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { timeIn } from '@hearth/calendar';
import { day, second } from '@hearth/clock';
import { english } from '@hearth/i18n';
import { AiStatus, CallerSchema } from '@hearth/proto/common/v1/caller';
import { type Caller, callerKinds } from '@hearth/rpc';
import { organizersOf } from '../../shared/domain/awaited.ts';
import type { Context } from '../context.ts';
import { noteAsked, type PlanRow, type WholePlan } from '../db/plans.ts';
import { lastEnd } from '../domain/plan.ts';

/** Limit for asking within the proposer's request; after that, a job asks. */
const timeoutMs = 3 * second;
const longestMs = 7 * day;

/** Asks the organizers whether the plan begins; a job retries failures. */
export async function askOrganizers(
  context: Pick<Context, 'commit' | 'log' | 'peers'>,
  plan: WholePlan,
): Promise<void> {
  const { id } = plan.row;
  try {
    await ask(context, plan);
    await context.commit((tx) => noteAsked(tx, id));
  } catch (err) {
    context.log.warn({ err, plan: id }, 'organizers could not be asked about a plan; it is tried again');
  }
}

/**
 * Asks the current organizers instead of former ones about a plan that has not begun.
 *
 * @throws HearthError if approvals can't be reached
 */
export async function askAgain(context: Pick<Context, 'peers'>, plan: WholePlan): Promise<void> {
  if (plan.row.status === 'asked' && organizersOf(plan.people).length > 0) await ask(context, plan);
}

async function ask({ peers }: Pick<Context, 'peers'>, { row, people }: WholePlan): Promise<void> {
  const until = Math.min(lastEnd(row), row.started_at.getTime() + longestMs);
  const request = {
    id: row.approval as string,
    group: row.group,
    to: organizersOf(people).map(({ person }) => person),
    title: row.title,
    details: detailsOf(row),
    expiresAt: timestampFromMs(until),
  };
  await peers.approvals.askPlan(request, { caller: proposerOf(row), timeoutMs });
}

/** The options, one per line, with the time zone. */
function detailsOf({ options, time_zone, place, details }: PlanRow): string {
  const zone = time_zone === null ? '' : ` (${time_zone})`;
  const times = options.map(({ label, starts, ends }) =>
    [`${english.words(timeIn(starts, time_zone))}${ends === null ? '' : zone}`, label]
      .filter(Boolean)
      .join(': '),
  );
  return [...times, place ?? '', details ?? ''].filter(Boolean).join('\n');
}

function proposerOf(row: PlanRow): Caller {
  const byAi = row.starter_kind === 'ai';
  return create(CallerSchema, {
    kind: byAi ? callerKinds.AI : callerKinds.PERSON,
    id: row.starter,
    person: byAi ? (row.starter_person ?? '') : '',
    app: row.starter_app ?? '',
    address: row.starter_address,
    name: row.starter_name,
    aiStatus: byAi ? AiStatus.CLAIMED : AiStatus.UNSPECIFIED,
  });
}
