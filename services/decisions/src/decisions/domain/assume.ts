import { cleanLine, shorten } from '@hearth/addresses';
import {
  type Answer,
  type Decision,
  type GivenAnswer,
  hasAnswered,
  type Participant,
  type Question,
} from './decision.ts';
import { plain } from './propose.ts';
import { longestText } from './read-answers.ts';

/** A note that a person shares with the group, or their app's guess. */
export interface Shared {
  /** A note's subject: an address, a &group, a decision number, or a word. */
  about: string;
  text: string;
}

/** The people who were asked and have unanswered questions. */
export function quietOf(decision: Pick<Decision, 'questions' | 'people'>): Participant[] {
  return decision.people.filter((person) => person.asked && !hasAnswered(decision, person));
}

/** The person's unanswered questions. */
export function openQuestions(
  { questions }: Pick<Decision, 'questions'>,
  { answers }: Participant,
): Question[] {
  return questions.filter(({ id }) => !answers.some(({ question }) => question === id));
}

/**
 * The answer that follows from a person's notes, newest first; null if none does. `choice`: an option that a
 * note names. `bring` and `text`: a note about the decision, else about the group, else the newest, cut to
 * one line of an answer's length.
 *
 * @param about the decision's number, and the group's address
 */
export function answerFromNotes(
  { kind, options }: Question,
  notes: readonly Shared[],
  about: readonly string[],
): Answer | null {
  if (kind === 'when') return null;
  if (kind === 'choice') {
    const found = notes.flatMap(({ text }) => options.find((option) => plain(option) === plain(text)) ?? []);
    return found[0] ?? null;
  }
  const named = about.flatMap((name) => notes.filter((note) => note.about === name));
  const [line = ''] = [...named, ...notes].map(({ text }) => cleanLine(text)).filter((text) => text !== '');
  return line === '' ? null : shorten(line, longestText);
}

export function assumedAnswer(question: Question, answer: Answer, note: string, at: number): GivenAnswer {
  return { question: question.id, answer, firm: false, note, by: null, as: 'ai', assumed: true, at };
}
