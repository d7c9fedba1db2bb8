import { type Awaited, organizersOf, taskOf, wordOf } from '../../shared/domain/awaited.ts';
import type { Member } from '../../shared/domain/member.ts';

export type Status = 'open' | 'clash' | 'proposed' | 'review' | 'agreed' | 'cancelled';
export type QuestionKind = 'when' | 'choice' | 'bring' | 'text';
/** The people who must approve a proposal. */
export type Needs = 'all' | 'answered' | 'organizers';
export type Why = 'no_answers' | 'group_archived' | 'cancelled';

export interface Question {
  /** From 1. */
  id: number;
  kind: QuestionKind;
  prompt: string;
  /** `when`: instants (ISO 8601 with Z) or days (YYYY-MM-DD), earliest first. `choice`: the options as given. */
  options: readonly string[];
}

/** `when`: the options that suit. Other kinds: one text. */
export type Answer = readonly string[] | string;

export interface GivenAnswer {
  question: number;
  answer: Answer;
  firm: boolean;
  note: string;
  /** uuid of the party that gave it; null if assumed. */
  by: string | null;
  as: 'person' | 'ai';
  assumed: boolean;
  /** Milliseconds since 1970. */
  at: number;
}

export interface Approval {
  decision: 'approved' | 'change';
  note: string;
  by: string;
  as: 'person' | 'ai';
  at: number;
}

/** A person who takes part in a decision. */
export interface Participant extends Member {
  /** At most one answer per question. */
  answers: readonly GivenAnswer[];
  /** Verdict on the current proposal. */
  approval: Approval | null;
  /** The option picked in the current clash. */
  pick: string | null;
}

export const newParticipant = (member: Member): Participant => ({
  ...member,
  answers: [],
  approval: null,
  pick: null,
});

export interface ProposedAnswer {
  question: number;
  /**
   * `when` and `choice`: one option, null if none suits. `bring`: null. `text`: null; the people's answers
   * are shown.
   */
  answer: string | null;
  /** uuids of the people it suits. */
  people: readonly string[];
}

export interface Bring {
  /** uuid */
  person: string;
  what: string;
  assumed: boolean;
}

export interface Proposal {
  /** Increases with each proposal. */
  version: number;
  /** uuid of the group AI or of the person who edited the proposal. */
  by: string;
  at: number;
  answers: readonly ProposedAnswer[];
  /** The author's summary; if empty, it is derived from the answers. */
  summary: string;
  where: string;
  bring: readonly Bring[];
  /** Deadline for objections by people whose answers are assumed; null if no answer is assumed. */
  objectBy: number | null;
}

export interface Clash {
  question: number;
  sides: readonly { answer: Answer; people: readonly string[]; byAi: boolean }[];
  /** Deadline for picking a side. */
  until: number;
}

/** The columns that the state machine uses. */
export interface Course {
  status: Status;
  why: Why | null;
  needs: Needs;
  questions: readonly Question[];
  /** uuid of the group AI. */
  group_ai: string;
  deadline_at: Date;
  /** The latest proposal; the approved one once the decision is agreed. */
  proposal: Proposal | null;
  clash: Clash | null;
  settled_at: Date | null;
}

/** A decision's course and its participants. */
export interface Decision extends Course {
  people: readonly Participant[];
}

/** Whether every question has an answer, given or assumed. */
export function hasAnswered({ questions }: Pick<Decision, 'questions'>, { answers }: Participant): boolean {
  return questions.every(({ id }) => answers.some(({ question }) => question === id));
}

/** Whether the person, or someone on their behalf, gave an answer. */
export function isHeard({ answers }: Participant): boolean {
  return answers.some(({ assumed }) => !assumed);
}

export function isAssumed({ answers }: Participant): boolean {
  return answers.some(({ assumed }) => assumed);
}

export function isFinal({ status }: Pick<Decision, 'status'>): boolean {
  return status === 'agreed' || status === 'cancelled';
}

/** The participants the decision waits for: for an answer, a pick, an approval or a review. */
export function waitingOn(decision: Decision): Participant[] {
  const { status, people, clash } = decision;
  switch (status) {
    case 'open':
      return people.filter((person) => person.asked && !hasAnswered(decision, person));
    case 'clash':
      return people.filter(
        ({ person, pick }) => pick === null && clash?.sides.some((side) => side.people.includes(person)),
      );
    case 'proposed':
      return approvers(decision).filter(({ approval }) => approval === null);
    case 'review':
      return organizersOf(people);
    default:
      return [];
  }
}

/** `waitingOn` with the people who can act now; lists, notices and `waiting_on` derive from it. */
export function awaited(decision: Decision): Awaited<Participant>[] {
  return waitingOn(decision).map(decision.status === 'review' ? taskOf : wordOf);
}

/** The participants whose approval the proposal needs. */
export function approvers({ needs, people }: Decision): Participant[] {
  const asked = people.filter((person) => person.asked);
  if (needs === 'all') return asked;
  const organizers = organizersOf(people);
  if (needs === 'organizers' && organizers.length > 0) return organizers;
  return asked.filter(isHeard);
}
