import type { Value } from '@bufbuild/protobuf/wkt';
import { cleanLine, countCharacters } from '@hearth/addresses';
import { badField, type HearthError } from '@hearth/errors';
import { readTime } from '../../shared/domain/read-time.ts';
import type { Answer, Question } from './decision.ts';
import { plain } from './propose.ts';

export const longestText = 500;

/** @throws bad_field (question_id) if there is no such question */
export function questionOf(questions: readonly Question[], id: number, field: string): Question {
  const question = questions.find((one) => one.id === id);
  if (question === undefined)
    throw badField(
      `${field}.question_id`,
      `must be the id of a question: 1 to ${questions.length}; got ${id}`,
    );
  return question;
}

/**
 * Reads a caller's answer: `when`: a list of options; `choice`: one option; other kinds: a short text.
 *
 * @throws bad_field for the wrong type, or an option that the question doesn't have
 */
export function readAnswer(
  question: Question,
  value: Value | undefined,
  zone: string | null,
  field: string,
): Answer {
  const given = plainValue(value);
  if (question.kind !== 'when') return readOne(question, given, zone, field);
  if (!Array.isArray(given))
    throw badField(field, 'must be a list of the options that suit, [] if none does');
  const chosen = given.map((one, index) => optionOf(question, one, zone, `${field}[${index}]`));
  return question.options.filter((option) => chosen.includes(option));
}

/** Reads a single option or text, as in proposals and picks. @throws bad_field */
export function readOne(question: Question, given: unknown, zone: string | null, field: string): string {
  if (question.kind === 'when' || question.kind === 'choice') return optionOf(question, given, zone, field);
  const text = typeof given === 'string' ? cleanLine(given) : null;
  if (text === null || countCharacters(text) > longestText)
    throw badField(field, `must be a text of at most ${longestText} characters`);
  return text;
}

function optionOf({ kind, options }: Question, given: unknown, zone: string | null, field: string): string {
  if (typeof given !== 'string') throw badField(field, 'must be one of the options, as a text');
  const found =
    kind === 'when'
      ? options.find((option) => option === readTimeOrNull(given, zone))
      : options.find((option) => plain(option) === plain(given));
  if (found === undefined) throw notAnOption(options, field);
  return found;
}

function readTimeOrNull(text: string, zone: string | null): string | null {
  try {
    return readTime(text, zone, '');
  } catch {
    return null;
  }
}

function notAnOption(options: readonly string[], field: string): HearthError {
  return badField(field, `must be one of the options: ${options.join(', ')}`);
}

/** Converts a protobuf value to plain JavaScript. */
export function plainValue(value: Value | undefined): unknown {
  switch (value?.kind.case) {
    case 'stringValue':
    case 'numberValue':
    case 'boolValue':
      return value.kind.value;
    case 'listValue':
      return value.kind.value.values.map(plainValue);
    default:
      return undefined;
  }
}
