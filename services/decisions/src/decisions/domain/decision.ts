import { type Awaited, organizersOf, taskOf, wordOf } from '../../shared/domain/awaited.ts';
import type { Member } from '../../shared/domain/member.ts';

export type Status = 'open' | 'clash' | 'proposed' | 'review' | 'agreed' | 'cancelled';
export type QuestionKind = 'when' | 'choice' | 'bring' | 'text';
/** The people whose approval a proposal needs. */
export type Needs = 'all' | 'answered' | 'organizers';
export type Why = 'no_answers' | 'group_archived' | 'cancelled';

export interface Question {
  /** From 1. */
  id: number;
  kind: QuestionKind;
  prompt: string;
  /** For `when` instants (ISO 8601 with Z) or days (YYYY-MM-DD), the earliest first; for `choice` the options as given. */
  options: readonly string[];
}

/** For `when` the options that suit, for the other kinds one text. */
export type Answer = readonly string[] | string;

export interface GivenAnswer {
  question: number;
  answer: Answer;
  firm: boolean;
  note: string;
  /** uuid of the party that gave it; null of one that is assumed. */
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

/** A person of a decision. */
export interface Participant extends Member {
  /** At most one for each question. */
  answers: readonly GivenAnswer[];
  /** The word about the present proposal. */
  approval: Approval | null;
  /** The option picked in the present clash. */
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
  /** For `when` and `choice` one option, null where none suits; null for `bring`, and for `text` in the people's words. */
  answer: string | null;
  /** uuids of the people whom it suits. */
  people: readonly string[];
}

export interface Bring {
  /** uuid */
  person: string;
  what: string;
  assumed: boolean;
}

export interface Proposal {
  /** Rises with each proposal. */
  version: number;
  /** uuid of the group AI or of the person who edited it. */
  by: string;
  at: number;
  answers: readonly ProposedAnswer[];
  /** In the words of the party that brought it; empty: it follows from the answers. */
  summary: string;
  where: string;
  bring: readonly Bring[];
  /** Until then those whose answers are assumed may object; null where there are none. */
  objectBy: number | null;
}

export interface Clash {
  question: number;
  sides: readonly { answer: Answer; people: readonly string[]; byAi: boolean }[];
  /** Until then its people pick. */
  until: number;
}

/** The columns of a decision that its course goes by. */
export interface Course {
  status: Status;
  why: Why | null;
  needs: Needs;
  questions: readonly Question[];
  /** uuid of the group AI. */
  group_ai: string;
  deadline_at: Date;
  /** The last proposal; of an agreed decision the one that was approved. */
  proposal: Proposal | null;
  clash: Clash | null;
  settled_at: Date | null;
}

/** The same with its people. */
export interface Decision extends Course {
  people: readonly Participant[];
}

/** Whether every question has an answer, given or assumed. */
export function hasAnswered({ questions }: Pick<Decision, 'questions'>, { answers }: Participant): boolean {
  return questions.every(({ id }) => answers.some(({ question }) => question === id));
}

/** Whether the person, or another party for them, gave an answer. */
export function isHeard({ answers }: Participant): boolean {
  return answers.some(({ assumed }) => !assumed);
}

export function isAssumed({ answers }: Participant): boolean {
  return answers.some(({ assumed }) => assumed);
}

export function isFinal({ status }: Pick<Decision, 'status'>): boolean {
  return status === 'agreed' || status === 'cancelled';
}

/** The participants for whom a decision waits: for an answer, a pick, an approval or a review. */
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

/** The same with those who can answer now: lists, notices and `waiting_on` follow from it. */
export function awaited(decision: Decision): Awaited<Participant>[] {
  return waitingOn(decision).map(decision.status === 'review' ? taskOf : wordOf);
}

/** The participants without whose approval a proposal is not agreed. */
export function approvers({ needs, people }: Decision): Participant[] {
  const asked = people.filter((person) => person.asked);
  if (needs === 'all') return asked;
  const organizers = organizersOf(people);
  if (needs === 'organizers' && organizers.length > 0) return organizers;
  return asked.filter(isHeard);
}
