import { type Awaited, organizersOf, taskOf, wordOf } from '../../shared/domain/awaited.ts';
import type { Member } from '../../shared/domain/member.ts';
import { endOfDay } from '../../shared/domain/read-time.ts';

/** `asked`: waiting for an organizer's approval; visible to no one yet. */
export type Status = 'asked' | 'open' | 'settled' | 'cancelled';
export type Why = 'past' | 'group_archived' | 'no_people' | 'declined' | 'cancelled';
export type StanceKind = 'works' | 'doesnt_work' | 'approve';

export interface Option {
  /** From 1. */
  id: number;
  label: string;
  /** An instant (ISO 8601 with Z), or a day (YYYY-MM-DD). */
  starts: string;
  /** An instant; null for a day. */
  ends: string | null;
}

export interface Stance {
  option: number;
  stance: StanceKind;
  note: string;
  /** uuid of the party that gave it. */
  by: string;
  as: 'person' | 'ai';
  /** The address of that party. */
  address: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** A person who takes part in a plan. */
export interface Planner extends Member {
  /** The latest stance on each option; at most one per option. */
  stances: readonly Stance[];
  /** The option they chose; null outside of a choice. */
  choice: number | null;
}

export const newPlanner = (member: Member): Planner => ({ ...member, stances: [], choice: null });

/** The columns that the state machine uses. */
export interface Course {
  status: Status;
  why: Why | null;
  /** The reason given for the cancellation. */
  reason: string | null;
  options: readonly Option[];
  deadline_at: Date;
  /** Start of the choice; null if none is in progress. */
  clash_at: Date | null;
  /** Whether the organizers were asked to settle the plan. */
  settle_asked: boolean;
  settled_option: number | null;
  settled_at: Date | null;
}

/** A plan's course and its people. */
export interface Plan extends Course {
  people: readonly Planner[];
}

type Words = Pick<Plan, 'options' | 'people'>;

export function isFinal({ status }: Pick<Plan, 'status'>): boolean {
  return status === 'settled' || status === 'cancelled';
}

export const askedOf = ({ people }: Pick<Plan, 'people'>) => people.filter(({ asked }) => asked);

export function stanceOn({ stances }: Planner, option: number): StanceKind | null {
  return stances.find((stance) => stance.option === option)?.stance ?? null;
}

/** Whether the person has a stance on every option. */
export function hasSpoken({ options }: Pick<Plan, 'options'>, planner: Planner): boolean {
  return options.every(({ id }) => stanceOn(planner, id) !== null);
}

/** The options where everyone asked has one of these stances, earliest first. */
function suiting(plan: Words, words: readonly (StanceKind | null)[]): Option[] {
  const asked = askedOf(plan);
  return plan.options
    .filter(({ id }) => asked.length > 0 && asked.every((planner) => words.includes(stanceOn(planner, id))))
    .sort((one, other) =>
      one.starts < other.starts ? -1 : one.starts > other.starts ? 1 : one.id - other.id,
    );
}

/** The earliest option that works for everyone; null if there is none. */
export function agreeable(plan: Words): Option | null {
  return suiting(plan, ['works', 'approve'])[0] ?? null;
}

/** The earliest option that everyone approves; null if there is none. */
export function approved(plan: Words): Option | null {
  return suiting(plan, ['approve'])[0] ?? null;
}

/** Whether some option was refused by no one. */
export function hasCandidate(plan: Words): boolean {
  return suiting(plan, ['works', 'approve', null]).length > 0;
}

/** When the last option is over; a day, once it is over everywhere on earth. */
export function lastEnd({ options }: Pick<Plan, 'options'>): number {
  return Math.max(...options.map(endOf));
}

export function endOf({ starts, ends }: Pick<Option, 'starts' | 'ends'>): number {
  return ends === null ? endOfDay(starts) : Date.parse(ends);
}

/** The people the plan waits for: for a stance, an approval of the option that works for everyone, or a choice. */
export function waitingOn(plan: Plan): Planner[] {
  if (plan.status !== 'open') return [];
  const asked = askedOf(plan);
  if (plan.clash_at !== null) return asked.filter(({ choice }) => choice === null);
  const option = agreeable(plan);
  return option === null
    ? asked.filter((planner) => !hasSpoken(plan, planner))
    : asked.filter((planner) => stanceOn(planner, option.id) !== 'approve');
}

/**
 * `waitingOn` with the people who can act now, and those asked to settle the plan; lists, notices and
 * `waiting_on` derive from it.
 *
 * @param starter uuid of the person who started it, or of the owner of the AI that did
 */
export function awaited(plan: Plan, starter: string | null): Awaited<Planner>[] {
  const settling = plan.status === 'open' && plan.settle_asked ? settlersOf(plan, starter) : [];
  return [...waitingOn(plan).map(wordOf), ...settling];
}

/** The organizers; the starter if the plan is hidden from the only organizer. */
export function settlersOf({ people }: Pick<Plan, 'people'>, starter: string | null): Awaited<Planner>[] {
  const organizers = organizersOf(people);
  return organizers.length > 0
    ? organizers.map(taskOf)
    : people.filter(({ person }) => person === starter).map(wordOf);
}
