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
  /** For `when`: instants, or dates as YYYY-MM-DD. */
  options: readonly string[];
}

export interface DecisionPerson {
  id: string;
  name: string;
  /** False for an organizer who isn't asked. */
  asked: boolean;
  answered: boolean;
  isViewer: boolean;
  /** Whether the viewer may answer for them: for themselves, or as a guardian. */
  spokenFor: boolean;
  /** Whether a guardian answers for them. */
  guarded: boolean;
  /** Whether it waits for them. */
  waiting: boolean;
  /** The option that they picked in a clash, in a plan its id; known for people that the viewer may answer for. */
  picked?: string | undefined;
}

export interface DecisionAnswer {
  question: number;
  person: string;
  name: string;
  /** For `when`: the options that work. */
  answer: string | readonly string[];
  firm: boolean;
  note?: string | undefined;
  byAi: boolean;
  assumed: boolean;
}

export interface ProposedLine {
  question: number;
  kind: QuestionKind;
  /** For `text`: each person's words; absent if no option fits. */
  answer?: string | readonly string[] | undefined;
  /** Ids of the people that it suits, and of the people among them with an assumed answer. */
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
  /** The name of the person who proposed it; undefined for the home. */
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
  /** The name of the person that it is hidden from. */
  hiddenFrom?: string | undefined;
  /** YYYY-MM-DD */
  reviewOn?: string | undefined;
  settledAtMs?: number | undefined;
  /** A path of this home. */
  receipt?: string | undefined;
  /** Whether its home shows other answers from people here than they sent. */
  disputed?: boolean | undefined;
  /** Whether it settles a time. */
  calendar: boolean;
  revision: number;
  /** Whether the viewer started it. */
  isStarter: boolean;
  /** Whether the viewer is an organizer of its group. */
  isOrganizer: boolean;
}

/** The values that a form sent, or the values of the viewer's answers, by field name. */
export type DecisionValues = Readonly<Record<string, string>>;

export interface DecisionPage {
  decision: Decision;
  nowMs: number;
  values: DecisionValues;
  errors?: Errors;
  /** The notice of the act that was just done. */
  done?: Words | undefined;
  /** The reason of a refusal. */
  refused?: Piece | undefined;
}

/** The people that the viewer answers for. */
export function answersFor({ people }: Decision): DecisionPerson[] {
  return people.filter(({ asked, spokenFor }) => asked && spokenFor);
}

/**
 * The people that the viewer can answer for now. In a clash, these are people on neither side who have not
 * answered every question, until the deadline.
 */
export function answersNow(decision: Decision, nowMs: number): DecisionPerson[] {
  const { status, clash, deadlineMs } = decision;
  if (status === 'open') return answersFor(decision);
  if (status !== 'clash' || nowMs >= deadlineMs) return [];
  return answersFor(decision).filter(({ id, answered }) => !answered && !clash?.people.includes(id));
}

/** The questions that still wait for a viewer who has answered others. */
export function stillOpen(decision: Decision): Question[] {
  const has = (id: string, question?: number) =>
    decision.answers.some(
      (answer) => answer.person === id && (question ?? answer.question) === answer.question,
    );
  const begun = answersFor(decision).filter(({ id, answered }) => !answered && has(id));
  return decision.questions.filter((question) => begun.some(({ id }) => !has(id, question.id)));
}

/** Whether others' answers are shown: once the viewer's are given, or once the decision is no longer open. */
export function showsAnswers(decision: Decision): boolean {
  const theirs = answersFor(decision);
  return decision.status !== 'open' || (theirs.length > 0 && theirs.every(({ answered }) => answered));
}

/** Whether it waits for the viewer. */
export function waitsForViewer({ status, people, isOrganizer }: Decision): boolean {
  if (status === 'review') return isOrganizer;
  return people.some(({ waiting, spokenFor }) => waiting && spokenFor);
}

export function namesOf({ people }: Decision, ids: readonly string[]): (Html | Text)[] {
  return ids.map((id) => {
    const person = people.find((each) => each.id === id);
    return person === undefined ? t('decisions.person-left') : othersText(person.name);
  });
}
