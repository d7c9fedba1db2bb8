import { cleanLine, shorten } from '@hearth/addresses';

/** A question that an app is asked to guess the answer to. */
export interface GuessableQuestion {
  id: number;
  /** when, choice, bring or text. */
  kind: string;
  options: readonly string[];
}

export type GuessedAnswer = string | string[];

export interface ReadGuess {
  questionId: number;
  answer: GuessedAnswer;
  reason: string;
}

export interface ReadGuesses {
  guesses: ReadGuess[];
  /** The rejected parts of the answer, each with the reason. */
  dropped: string[];
}

const maxReason = 140;
const maxText = 500;
const mostDropped = 20;

/**
 * Returns the valid guesses in an app's answer: the first of the right kind for each question. Everything
 * else is dropped, so that an app can answer only what it was asked.
 *
 * @param body the answer as received
 */
export function readGuesses(body: string, questions: readonly GuessableQuestion[]): ReadGuesses {
  const given = guessesIn(body);
  const guesses: ReadGuess[] = [];
  if (given === null) return { guesses, dropped: ['the answer must be {"guesses": [...]}'] };
  const dropped: string[] = [];
  for (const [index, each] of given.entries()) {
    const guess = readGuess(each, questions, guesses);
    if (typeof guess !== 'string') guesses.push(guess);
    else if (dropped.length < mostDropped) dropped.push(`guesses[${index}]${guess}`);
  }
  return { guesses, dropped };
}

/** Returns the guess, or the reason for dropping it, which begins with the field. */
function readGuess(
  given: unknown,
  questions: readonly GuessableQuestion[],
  before: readonly ReadGuess[],
): ReadGuess | string {
  if (typeof given !== 'object' || given === null) return ': must be an object';
  const { question_id: id, answer, reason } = given as Record<string, unknown>;
  const question = questions.find((asked) => asked.id === id);
  if (question === undefined) return '.question_id: must be the id of a question that was asked';
  if (before.some(({ questionId }) => questionId === id)) return '.question_id: was guessed before';
  const checked = readAnswer(question, answer);
  if (checked === undefined)
    return `.answer: must be ${kindWords[question.kind] ?? 'of a kind that is known'}`;
  const words = typeof reason === 'string' ? shorten(cleanLine(reason), maxReason) : '';
  return { questionId: question.id, answer: checked, reason: words };
}

const kindWords: Readonly<Record<string, string>> = {
  when: 'a list of the options that work',
  choice: 'one of the options',
  bring: `a text of 1 to ${maxText} characters`,
  text: `a text of 1 to ${maxText} characters`,
};

/** Returns null unless the body holds a list of guesses. */
function guessesIn(body: string): unknown[] | null {
  try {
    const { guesses } = JSON.parse(body) as { guesses?: unknown };
    return Array.isArray(guesses) ? guesses : null;
  } catch {
    return null;
  }
}

function readAnswer({ kind, options }: GuessableQuestion, answer: unknown): GuessedAnswer | undefined {
  switch (kind) {
    case 'choice':
      return typeof answer === 'string' && options.includes(answer) ? answer : undefined;
    case 'when':
      return Array.isArray(answer) && answer.every((choice) => options.includes(choice as string))
        ? [...new Set(answer as string[])]
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
