import { create } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { isDay, timeIn } from '@hearth/calendar';
import { type Copies, type CopyState, type HomeThings, lastSaidIn, type SentWord } from '@hearth/home-acts';
import { english } from '@hearth/i18n';
import type { Announcement } from '@hearth/outbox';
import {
  type Plan,
  type PlanOption,
  PlanSchema,
  type Stance,
  type StanceKind,
  StanceSchema,
} from '@hearth/proto/decisions/v1/plans';
import { type ActsByAddress, createCourseCopies, type Word } from '../../shared/actions/course-copies.ts';
import { type Members, toldOutcome } from '../../shared/actions/elsewhere.ts';
import { isTime } from '../../shared/domain/zone.ts';
import type { Context } from '../context.ts';
import { stanceKinds, statuses } from '../domain/enum-names.ts';
import type { What } from '../domain/events.ts';
import { kind } from './course.ts';

type Deps = Pick<Context, 'homeNames' | 'log' | 'peers' | 'people' | 'things'>;

export function createHomePlans(context: Deps, homeThings: HomeThings): Copies<typeof PlanSchema> {
  return createCourseCopies(context, homeThings, {
    kind,
    desc: PlanSchema,
    factsOf({ createdAt, options, status, timeZone }) {
      if (createdAt === undefined || !options.every((option) => isOption(option, timeZone))) return null;
      return { status: statuses.nameOf(status ?? 0), startedAt: timestampDate(createdAt) };
    },
    groupOf: (plan) => plan,
    newsOf: (state, members) => newsOf(context, state, members),
    ...{ wordsIn, asSaid, lacks },
    peopleIn: ({ people }) => people.map(({ address }) => address),
    spare: ['record', 'details', 'options.stances'],
  });
}

interface Taken {
  /** Null: a later act withdrew it by leaving it out. */
  stance: string | null;
  note: string;
  /** Address of the AI that gave it; null if the person gave it. */
  by: string | null;
  /** Time it was sent; undefined if unknown. */
  sentAt?: string | undefined;
}

type NewStance = { option?: number; stance?: string; note?: string };

/** The last stance on an option in one person's acts. */
const takenBy = (acts: readonly SentWord[], option: number) =>
  lastSaidIn(acts, ({ operation, request, byAi, from, at: sentAt }): Taken | undefined => {
    if (operation !== 'take_stance') return undefined;
    const given = ((request['stances'] ?? []) as NewStance[]).find((stance) => stance.option === option);
    const by = byAi ? (from ?? '') : null;
    if (given !== undefined) return { stance: given.stance ?? null, note: given.note ?? '', by, sentAt };
    return request['replace'] === false ? undefined : { stance: null, note: '', by };
  });

/** Older acts don't include the acting address; they only show that it was an AI. */
const isTaken = (stated: Taken) => (said: Taken) =>
  said.stance === stated.stance &&
  said.note === stated.note &&
  (said.by === '' ? stated.by !== null : said.by === stated.by);

const statedBy = ({ stance, note = '', by }: Stance): Taken => ({
  stance: stanceKinds.nameOf(stance),
  note,
  by: by ?? null,
});

function wordsIn({ options }: Plan): Word[] {
  return options.flatMap(({ id: option, stances }) =>
    stances.map((stance) => {
      const stated = statedBy(stance);
      return {
        ...{ person: stance.person, stated: [option, stated.stance, stated.note, stated.by] },
        isSaidBy: (acts: readonly SentWord[]) => takenBy(acts, option)?.allowed.some(isTaken(stated)) ?? null,
      };
    }),
  );
}

/** Whether the plan lacks a stance that its home had accepted by this revision. */
function lacks(plan: Plan, person: string, acts: readonly SentWord[]): boolean {
  const last = acts.findLast(({ operation }) => operation === 'take_stance');
  if (last?.status !== 200 || typeof last.revision !== 'number' || last.revision > plan.revision)
    return false;
  return leftOut(plan, person, acts).length > 0;
}

/**
 * The options where the person's stance is missing; empty if the state was sent without stances because of
 * its size.
 */
function leftOut({ options }: Plan, person: string, acts: readonly SentWord[]): number[] {
  if (options.every(({ stances }) => stances.length === 0)) return [];
  return options.flatMap(({ id, stances }) => {
    const isTold = stances.some((stance) => stance.person === person);
    return isTold || takenBy(acts, id)?.shown.stance == null ? [] : id;
  });
}

function asSaid(plan: Plan, said: ActsByAddress): Plan {
  const left = [...said].flatMap(([person, acts]) =>
    lacks(plan, person, acts) ? leftOut(plan, person, acts).map((option) => ({ option, person, acts })) : [],
  );
  const nameOf = (address: string) =>
    plan.people.find((person) => person.address === address)?.name ?? address;
  return {
    ...plan,
    options: plan.options.map((option) => ({
      ...option,
      stances: [
        ...option.stances.flatMap((stance) => {
          const acts = said.get(stance.person);
          if (acts === undefined) return stance;
          const taken = takenBy(acts, option.id);
          if (taken?.allowed.some(isTaken(statedBy(stance)))) return stance;
          return taken === null ? [] : stanceAsTaken(stance, taken.shown);
        }),
        ...left
          .filter((one) => one.option === option.id)
          .flatMap(({ acts, person }) => {
            const { shown } = takenBy(acts, option.id)!;
            const { sentAt } = shown;
            const at = sentAt === undefined ? plan.createdAt! : timestampFromDate(new Date(sentAt));
            return stanceAsTaken(create(StanceSchema, { person, name: nameOf(person), at }), shown);
          }),
      ],
    })),
  };
}

function stanceAsTaken({ note: _, by: __, ...rest }: Stance, { by, note, stance }: Taken): Stance[] {
  if (stance === null) return [];
  return [
    {
      ...{ ...rest, stance: stanceKinds.valueOf(stance) as StanceKind },
      ...(note !== '' && { note }),
      ...(by !== null && by !== '' && { by }),
    },
  ];
}

/** Whether the option has a valid day or time. */
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
    const summary = [english.words(timeIn(when, message.timeZone ?? null)), label, where]
      .filter(Boolean)
      .join('; ');
    const outcome = { summary, when, endsAt, where, details, ...(await toldOutcome(context, viewers)) };
    return [{ data: { case: 'planSettled', value: { ...outcome, plan, viewers } }, topics }];
  }
  if (what === null && needs.length === 0) return [];
  const wakes = needs.map(({ person }) => person);
  const value = { plan, viewers, needs, wakes, why, what: what ?? 'approve' };
  return [{ data: { case: 'planChanged', value }, topics }];
}

/** The settled option; the first one if the plan names none. */
export function settledIn({ options, settledOption }: Plan) {
  const option = options.find(({ id }) => id === settledOption) ?? options[0];
  const start = option?.startsAt === undefined ? undefined : timestampDate(option.startsAt);
  const when = start?.toISOString().replace('.000Z', 'Z') ?? option?.date ?? '';
  return { when, endsAt: option?.endsAt, label: option?.label ?? '' };
}

/** The stage that began; null if none did. */
function whatOf(before: Plan | null, after: Plan): What | 'settled' | null {
  const status = statuses.nameOf(after.status ?? 0);
  if (status === 'settled' || status === 'cancelled') return before?.status === after.status ? null : status;
  if (before === null) return 'proposed';
  if (before.clashAt === undefined && after.clashAt !== undefined) return 'clash';
  return after.options.length > before.options.length ? 'option_added' : null;
}
