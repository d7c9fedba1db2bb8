import { badField, badRequest } from '@hearth/errors';
import { changedIn } from '../../shared/domain/member.ts';
import { refusalsOf } from '../../shared/domain/refusals.ts';
import {
  agreeable,
  approved,
  askedOf,
  hasCandidate,
  hasSpoken,
  isFinal,
  lastEnd,
  type Option,
  type Plan,
  type Planner,
  type Stance,
  stanceOn,
  type Why,
} from './plan.ts';

const { notWaiting, over } = refusalsOf('plan');

export const mostOptions = 12;

export type Act =
  /** An organizer approved the plan. */
  | { kind: 'begin'; deadline: number }
  /** The same stances for each of these people; `replace` drops their earlier stances on other options. */
  | { kind: 'stance'; people: readonly string[]; stances: readonly Stance[]; replace: boolean }
  | { kind: 'add'; option: Omit<Option, 'id'> }
  | { kind: 'choose'; people: readonly string[]; option: number }
  | { kind: 'settle'; option: number; confirmRefused: boolean }
  | { kind: 'extend'; deadline: number }
  | { kind: 'cancel'; why: Why; reason?: string | undefined }
  /** Updates the people: they join and leave, guardians and organizers change. */
  | { kind: 'know'; people: (now: readonly Planner[]) => readonly Planner[] }
  /** Time passed: the deadline, or the end of the last option. */
  | { kind: 'pass' };

/**
 * The plan after an act. Acts that change nothing return the same object: cancelling twice, or dropping
 * people from an ended plan.
 *
 * @throws bad_request (not_waiting, already_settled, cap_reached), bad_field if there is no such option
 */
export function next(plan: Plan, act: Act, at: number): Plan {
  switch (act.kind) {
    case 'begin':
      if (plan.status !== 'asked') return plan;
      return movedOn({ ...plan, status: 'open', deadline_at: new Date(act.deadline) }, at);
    case 'know':
      return isFinal(plan) ? plan : movedOn({ ...plan, people: act.people(plan.people) }, at);
    case 'pass':
      return plan.status === 'open' ? passed(plan, at) : plan;
    case 'cancel':
      if (plan.status === 'cancelled') return plan;
      requireOpen(plan);
      return { ...cancelled(plan, act.why, at), reason: act.reason ?? null };
    default:
      requireOpen(plan);
      if (plan.status === 'asked') throw notWaiting('its organizers are asked whether it begins');
      return acted(plan, act, at);
  }
}

type PartyAct = Extract<Act, { kind: 'stance' | 'add' | 'choose' | 'settle' | 'extend' }>;

function acted(plan: Plan, act: PartyAct, at: number): Plan {
  switch (act.kind) {
    case 'stance':
      requireNoChoice(plan);
      return spoken(plan, act, at);
    case 'add':
      return added(plan, act.option, at);
    case 'choose':
      if (plan.clash_at === null)
        throw notWaiting('people choose once every option does not work for one of them');
      requireOption(plan, act.option, 'option');
      return movedOn(
        changedIn(plan, act.people, () => ({ choice: act.option })),
        at,
      );
    case 'settle':
      requireOption(plan, act.option, 'option');
      if (isRefused(plan, act.option) && !act.confirmRefused)
        throw badField(
          'confirm_refused',
          'must be true: everyone says that this option does not work for them',
        );
      return settled(plan, act.option, at);
    case 'extend':
      requireNoChoice(plan);
      return { ...plan, deadline_at: new Date(act.deadline), settle_asked: false };
  }
}

/** When time alone changes the plan next; null: never. */
export function dueAt(plan: Plan): number | null {
  if (plan.status !== 'open') return null;
  const end = lastEnd(plan);
  return plan.clash_at === null && !plan.settle_asked ? Math.min(plan.deadline_at.getTime(), end) : end;
}

function spoken(
  plan: Plan,
  { people, stances, replace }: Extract<Act, { kind: 'stance' }>,
  at: number,
): Plan {
  stances.forEach(({ option }, index) => {
    requireOption(plan, option, `stances[${index}].option`);
  });
  const said = stances.map(({ option }) => option);
  const after = changedIn(plan, people, (planner) => ({
    stances: replace
      ? stances
      : [...planner.stances.filter(({ option }) => !said.includes(option)), ...stances],
  }));
  // Repeated stances aren't stored again, because the history has no size limit.
  const repeated = plan.people.every((person, index) => hasSameWords(person, after.people[index] as Planner));
  return repeated ? plan : movedOn(after, at);
}

function hasSameWords(one: Planner, other: Planner): boolean {
  const words = ({ stances }: Planner) =>
    stances.map(({ option, stance, note, by, as, address }) =>
      JSON.stringify([option, stance, note, by, as, address]),
    );
  const [before, after] = [words(one), words(other)];
  return before.length === after.length && before.every((word) => after.includes(word));
}

/**
 * Adds an option and ends a choice in progress: people answer the new option first. Earlier stances stay. If
 * the organizers were asked to settle after the deadline, they aren't asked again.
 */
function added(plan: Plan, option: Omit<Option, 'id'>, at: number): Plan {
  if (plan.options.length >= mostOptions)
    throw badRequest(`a plan has at most ${mostOptions} options; settle it, or propose another`, {
      code: 'cap_reached',
    });
  if (plan.options.some((one) => isSame(one, option)))
    throw badField(option.ends === null ? 'date' : 'starts_at', 'is there already');
  const options = [...plan.options, { ...option, id: plan.options.length + 1 }];
  const people = plan.people.map((person) => (person.choice === null ? person : { ...person, choice: null }));
  const asked = plan.settle_asked && plan.deadline_at.getTime() <= at;
  return { ...plan, options, people, clash_at: null, settle_asked: asked };
}

type Times = Pick<Option, 'starts' | 'ends' | 'label'>;

export function isSame(one: Times, other: Times): boolean {
  return one.starts === other.starts && one.ends === other.ends && one.label === other.label;
}

/** An open plan after stances or choices changed. */
function movedOn(plan: Plan, at: number): Plan {
  if (plan.status !== 'open') return plan;
  const asked = askedOf(plan);
  if (asked.length === 0) return cancelled(plan, 'no_people', at);
  if (plan.clash_at !== null) return chosen(plan, at);
  const option = approved(plan);
  if (option !== null) return settled(plan, option.id, at);
  return asked.every((planner) => hasSpoken(plan, planner)) ? clashing(plan, at) : plan;
}

/** Starts a choice among the options if each was refused by someone. */
function clashing(plan: Plan, at: number): Plan {
  return hasCandidate(plan) ? plan : { ...plan, clash_at: new Date(at) };
}

/** Settles the option that more than half chose; once everyone chose without a majority, asks the organizers. */
function chosen(plan: Plan, at: number): Plan {
  const asked = askedOf(plan);
  const counts = Map.groupBy(asked, ({ choice }) => choice);
  for (const [option, people] of counts)
    if (option !== null && people.length > asked.length / 2) return settled(plan, option, at);
  return counts.has(null) || plan.settle_asked ? plan : { ...plan, settle_asked: true };
}

function passed(plan: Plan, at: number): Plan {
  if (lastEnd(plan) <= at) return cancelled(plan, 'past', at);
  if (plan.deadline_at.getTime() > at || plan.clash_at !== null || plan.settle_asked) return plan;
  const clash = clashing(plan, at);
  return clash === plan ? { ...plan, settle_asked: true } : clash;
}

function settled(plan: Plan, option: number, at: number): Plan {
  return { ...plan, status: 'settled', settled_option: option, settled_at: new Date(at) };
}

/** A plan that never began counts as declined, whatever ended it. */
function cancelled(plan: Plan, why: Why, at: number): Plan {
  return {
    ...plan,
    status: 'cancelled',
    why: plan.status === 'asked' ? 'declined' : why,
    settled_at: new Date(at),
  };
}

function isRefused(plan: Plan, option: number): boolean {
  return askedOf(plan).every((planner) => stanceOn(planner, option) === 'doesnt_work');
}

function requireOption({ options }: Plan, option: number, field: string): void {
  if (options.some(({ id }) => id === option)) return;
  throw badField(field, `must be the id of an option of the plan: 1 to ${options.length}; got ${option}`);
}

function requireOpen(plan: Plan): void {
  if (isFinal(plan)) throw over(`${plan.status} already`);
}

function requireNoChoice({ clash_at }: Plan): void {
  if (clash_at !== null)
    throw notWaiting('no option works for all, so that the people choose one now, or an option is added');
}

/** Whether this change made an option work for everyone, so that people are asked to approve it. */
export function asksApproval(before: Plan, after: Plan): boolean {
  const option = after.status === 'open' && after.clash_at === null ? agreeable(after) : null;
  return option !== null && agreeable(before)?.id !== option.id;
}
