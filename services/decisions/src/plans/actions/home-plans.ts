import { timestampDate } from '@bufbuild/protobuf/wkt';
import { isDay, wordsOf } from '@hearth/calendar';
import { type Copies, type CopyState, type HomeThings, isLine } from '@hearth/home-acts';
import type { Announcement } from '@hearth/outbox';
import { type Plan, type PlanOption, PlanSchema } from '@hearth/proto/decisions/v1/plans';
import type { JsonObject } from '@hearth/signing';
import { createCourseCopies, type Said, type Word } from '../../shared/actions/course-copies.ts';
import { type Members, toldOutcome } from '../../shared/actions/elsewhere.ts';
import { isTime } from '../../shared/domain/zone.ts';
import type { Context } from '../context.ts';
import { stanceKinds, statuses } from '../domain/enum-names.ts';
import type { What } from '../domain/events.ts';
import { kind } from './course.ts';

type Deps = Pick<Context, 'homeNames' | 'peers' | 'people' | 'things'>;

export function createHomePlans(context: Deps, homeThings: HomeThings): Copies<typeof PlanSchema> {
  return createCourseCopies(context, homeThings, {
    kind,
    desc: PlanSchema,
    factsOf({ createdAt, deadline, groupName = '', options, status, timeZone, title }) {
      if (createdAt === undefined || deadline === undefined || options.length === 0) return null;
      if (!isLine(title) || !isLine(groupName) || !options.every((one) => isOption(one, timeZone)))
        return null;
      const name = statuses.nameOf(status ?? 0);
      return name === '' ? null : { status: name, startedAt: timestampDate(createdAt) };
    },
    groupOf: (plan) => plan,
    newsOf: (state, members) => newsOf(context, state, members),
    ...{ wordsIn, asSaid },
    spare: ['record', 'details', 'options.stances'],
  });
}

/** The stance of a request of `take_stance` on an option. */
const stanceIn = ({ stances = [] }: JsonObject, option: number) =>
  (stances as { option?: number; stance?: string; note?: string }[]).find((one) => one.option === option);

function wordsIn({ options }: Plan): Word[] {
  return options.flatMap(({ id: option, stances }) =>
    stances.map(({ person, stance, note = '' }) => ({
      ...{ person, operation: 'take_stance', stated: [option, stance, note] },
      isSaidBy(request: JsonObject) {
        const given = stanceIn(request, option);
        return given?.stance === stanceKinds.nameOf(stance) && (given.note ?? '') === note;
      },
    })),
  );
}

function asSaid({ options, ...plan }: Plan, said: Said): Plan {
  return {
    ...plan,
    options: options.map((option) => ({
      ...option,
      stances: option.stances.flatMap((one) => {
        const requests = said.get(one.person);
        if (requests === undefined) return one;
        const given = requests.map((request) => stanceIn(request, option.id)).findLast(Boolean);
        if (given === undefined) return [];
        const { note, ...rest } = one;
        const stance = stanceKinds.valueOf(given.stance ?? '');
        return { ...rest, stance, ...(given.note !== undefined && { note: given.note }) };
      }),
    })),
  };
}

/** A day, or a time. */
const isOption = ({ date, startsAt }: PlanOption, zone: string | undefined) =>
  (date === undefined ? startsAt !== undefined : isDay(date)) && isTime(undefined, zone);

async function newsOf(
  context: Deps,
  { before, after: { id, message, reference } }: CopyState<typeof PlanSchema>,
  { group, needs, topics, viewers }: Members,
): Promise<Announcement[]> {
  const what = whatOf(before?.message ?? null, message);
  const { title, options, details = '', where = '', why = '' } = message;
  const plan = { id, title, group, options: options.length, reference };
  if (what === 'settled') {
    const { when, endsAt, label } = settledIn(message);
    const summary = [wordsOf(when, message.timeZone ?? null), label, where].filter(Boolean).join('; ');
    const outcome = { summary, when, endsAt, where, details, ...(await toldOutcome(context, viewers)) };
    return [{ data: { case: 'planSettled', value: { ...outcome, plan, viewers } }, topics }];
  }
  if (what === null && needs.length === 0) return [];
  const wakes = needs.map(({ person }) => person);
  const value = { plan, viewers, needs, wakes, why, what: what ?? 'approve' };
  return [{ data: { case: 'planChanged', value }, topics }];
}

/** The option that was settled; the first of one that names none. */
export function settledIn({ options, settledOption }: Plan) {
  const option = options.find(({ id }) => id === settledOption) ?? options[0];
  const start = option?.startsAt === undefined ? undefined : timestampDate(option.startsAt);
  const when = start?.toISOString().replace('.000Z', 'Z') ?? option?.date ?? '';
  return { when, endsAt: option?.endsAt, label: option?.label ?? '' };
}

/** The stage that began; null where none did. */
function whatOf(before: Plan | null, after: Plan): What | 'settled' | null {
  const status = statuses.nameOf(after.status ?? 0);
  if (status === 'settled' || status === 'cancelled') return before?.status === after.status ? null : status;
  if (before === null) return 'proposed';
  if (before.clashAt === undefined && after.clashAt !== undefined) return 'clash';
  return after.options.length > before.options.length ? 'option_added' : null;
}
