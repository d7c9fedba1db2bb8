import { cleanLine, shorten } from '@hearth/addresses';

/** A question as an app is asked to guess its answer. */
export interface GuessableQuestion {
  id: number;
  /** when, choice, bring, text; yes_no, date, number. */
  kind: string;
  choices: readonly string[];
}

export type GuessedAnswer = string | number | boolean | string[];

export interface ReadGuess {
  questionId: number;
  answer: GuessedAnswer;
  reason: string;
}

const maxReason = 140;
const maxText = 500;
const date = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/**
 * The guesses of an app's answer that count: the first of the right kind for each question. Everything else is dropped, so
 * that an app answers nothing but the questions.
 *
 * @param body as the app sent it
 */
export function readGuesses(body: string, questions: readonly GuessableQuestion[]): ReadGuess[] {
  const asked = new Map(questions.map((question) => [question.id, question]));
  const read: ReadGuess[] = [];
  for (const given of guessesIn(body)) {
    if (typeof given !== 'object' || given === null) continue;
    const { question_id: id, answer, reason } = given as Record<string, unknown>;
    const question = typeof id === 'number' ? asked.get(id) : undefined;
    if (question === undefined) continue;
    const checked = readAnswer(question, answer);
    if (checked === undefined) continue;
    asked.delete(question.id);
    const words = typeof reason === 'string' ? shorten(cleanLine(reason), maxReason) : '';
    read.push({ questionId: question.id, answer: checked, reason: words });
  }
  return read;
}

function guessesIn(body: string): unknown[] {
  try {
    const { guesses } = JSON.parse(body) as { guesses?: unknown };
    return Array.isArray(guesses) ? guesses : [];
  } catch {
    return [];
  }
}

function readAnswer({ kind, choices }: GuessableQuestion, answer: unknown): GuessedAnswer | undefined {
  switch (kind) {
    case 'yes_no':
      return typeof answer === 'boolean' ? answer : undefined;
    case 'number':
      return typeof answer === 'number' && Number.isFinite(answer) ? answer : undefined;
    case 'choice':
      return typeof answer === 'string' && choices.includes(answer) ? answer : undefined;
    case 'when':
      return Array.isArray(answer) && answer.every((one) => choices.includes(one as string))
        ? [...new Set(answer as string[])]
        : undefined;
    case 'date':
      return typeof answer === 'string' && date.test(answer) && !Number.isNaN(Date.parse(answer))
        ? answer
        : undefined;
    case 'bring':
    case 'text':
      return readText(answer);
    default:
      return undefined;
  }
}

function readText(answer: unknown): string | undefined {
  if (typeof answer !== 'string') return undefined;
  const text = cleanLine(answer);
  return text === '' || [...text].length > maxText ? undefined : text;
}
