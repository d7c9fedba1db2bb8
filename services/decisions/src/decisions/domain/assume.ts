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

/** A note that a person shares with the group, or a guess of the app that holds them. */
export interface Shared {
  /** The subject of a note: an address, a &group, the number of a decision, or a word. */
  about: string;
  text: string;
}

/** Those who are asked and have not answered everything. */
export function quietOf(decision: Pick<Decision, 'questions' | 'people'>): Participant[] {
  return decision.people.filter((person) => person.asked && !hasAnswered(decision, person));
}

/** The questions that a person has not answered. */
export function openQuestions(
  { questions }: Pick<Decision, 'questions'>,
  { answers }: Participant,
): Question[] {
  return questions.filter(({ id }) => !answers.some(({ question }) => question === id));
}

/**
 * The answer that the notes of a person make, the newest first: of `choice` an option that a note says in its words; of
 * `bring` and `text` a note about the decision, else about the group, else the newest, as one line that is no longer than
 * an answer. Null where they make none.
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
