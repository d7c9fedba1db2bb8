import { type Text, t } from '@hearth/i18n';
import type { Errors } from './components/field.ts';
import type { Html, Piece, Words } from './html.ts';
import { othersText } from './others-text.ts';

export type DecisionStatus = 'open' | 'clash' | 'proposed' | 'review' | 'agreed' | 'cancelled';
export type QuestionKind = 'when' | 'choice' | 'bring' | 'text';

export interface Question {
  id: number;
  kind: QuestionKind;
  prompt: string;
  /** For `when` instants, or days as YYYY-MM-DD. */
  options: readonly string[];
}

export interface DecisionPerson {
  id: string;
  name: string;
  /** False for an organizer who isn't asked. */
  asked: boolean;
  answered: boolean;
  isViewer: boolean;
  /** The viewer speaks for them: for themselves, or as a guardian. */
  spokenFor: boolean;
  /** Whether a guardian answers for them. */
  guarded: boolean;
  /** It waits for them. */
  waiting: boolean;
  /** The option that they picked in a clash, of a plan its id: known of those for whom the viewer speaks. */
  picked?: string | undefined;
}

export interface DecisionAnswer {
  question: number;
  person: string;
  name: string;
  /** For `when` the options that suit. */
  answer: string | readonly string[];
  firm: boolean;
  note?: string | undefined;
  byAi: boolean;
  assumed: boolean;
}

export interface ProposedLine {
  question: number;
  kind: QuestionKind;
  /** For `text` the words of each; absent where none suits. */
  answer?: string | readonly string[] | undefined;
  /** Ids of the people whom it suits, and of those of them whose answer is assumed. */
  people: readonly string[];
  assumed: readonly string[];
}

export interface BroughtThing {
  person: string;
  name: string;
  what: string;
  assumed: boolean;
  duplicate: boolean;
}

export interface Approver {
  person: string;
  name: string;
  decision: 'waiting' | 'approved' | 'change';
  atMs?: number | undefined;
  by?: 'person' | 'ai' | undefined;
  note?: string | undefined;
}

export interface DecisionProposal {
  version: number;
  /** The name of the person who brought it; undefined for the home. */
  by?: string | undefined;
  lines: readonly ProposedLine[];
  summary: string;
  where?: string | undefined;
  bring: readonly BroughtThing[];
  approvals: readonly Approver[];
  objectByMs?: number | undefined;
}

export interface DecisionClash {
  question: number;
  people: readonly string[];
  waitingFor: readonly string[];
  sides: readonly { answer: string | readonly string[]; people: readonly string[]; byAi: boolean }[];
  untilMs: number;
}

/** A decision as its viewer may see it. */
export interface Decision {
  id: string;
  title: string;
  details?: string | undefined;
  status: DecisionStatus;
  groupName: string;
  groupAddress: string;
  startedBy: { name: string; address: string };
  questions: readonly Question[];
  people: readonly DecisionPerson[];
  peopleAsked: number;
  peopleAnswered: number;
  answers: readonly DecisionAnswer[];
  proposal?: DecisionProposal | undefined;
  clash?: DecisionClash | undefined;
  needs: 'all' | 'answered' | 'organizers';
  atMs: number;
  deadlineMs: number;
  timeZone?: string | undefined;
  why?: 'no_answers' | 'group_archived' | 'cancelled' | undefined;
  /** The name of the person who must not see it. */
  hiddenFrom?: string | undefined;
  /** YYYY-MM-DD */
  reviewOn?: string | undefined;
  settledAtMs?: number | undefined;
  /** A path of this home. */
  receipt?: string | undefined;
  /** Its home shows other words of people here than they sent. */
  disputed?: boolean | undefined;
  /** It settles a time. */
  calendar: boolean;
  revision: number;
  /** The viewer started it. */
  isStarter: boolean;
  /** The viewer is an organizer of its group. */
  isOrganizer: boolean;
}

/** The values that a form of the page sent, or those of the viewer's answers: by the names of its fields. */
export type DecisionValues = Readonly<Record<string, string>>;

export interface DecisionPage {
  decision: Decision;
  nowMs: number;
  values: DecisionValues;
  errors?: Errors;
  /** The act that was just done, in words. */
  done?: Words | undefined;
  /** The reason of a refusal, in words. */
  refused?: Piece | undefined;
}

/** The people for whom the viewer answers. */
export function answersFor({ people }: Decision): DecisionPerson[] {
  return people.filter(({ asked, spokenFor }) => asked && spokenFor);
}

/**
 * The people for whom the viewer can answer now: in a clash those who are no side of it and have not answered every question,
 * while there is time.
 */
export function answersNow(decision: Decision, nowMs: number): DecisionPerson[] {
  const { status, clash, deadlineMs } = decision;
  if (status === 'open') return answersFor(decision);
  if (status !== 'clash' || nowMs >= deadlineMs) return [];
  return answersFor(decision).filter(({ id, answered }) => !answered && !clash?.people.includes(id));
}

/** The questions that go on waiting for a viewer who has answered others of them. */
export function stillOpen(decision: Decision): Question[] {
  const has = (id: string, question?: number) =>
    decision.answers.some((one) => one.person === id && (question ?? one.question) === one.question);
  const begun = answersFor(decision).filter(({ id, answered }) => !answered && has(id));
  return decision.questions.filter((question) => begun.some(({ id }) => !has(id, question.id)));
}

/** Whether answers of others are shown: once those of the viewer are given, and once it is open no more. */
export function showsAnswers(decision: Decision): boolean {
  const theirs = answersFor(decision);
  return decision.status !== 'open' || (theirs.length > 0 && theirs.every(({ answered }) => answered));
}

/** Whether it waits for a word of the viewer. */
export function waitsForViewer({ status, people, isOrganizer }: Decision): boolean {
  if (status === 'review') return isOrganizer;
  return people.some(({ waiting, spokenFor }) => waiting && spokenFor);
}

export function namesOf({ people }: Decision, ids: readonly string[]): (Html | Text)[] {
  return ids.map((id) => {
    const person = people.find((one) => one.id === id);
    return person === undefined ? t('decisions.person-left') : othersText(person.name);
  });
}
