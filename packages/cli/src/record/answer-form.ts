import { isJsonObject, type JsonObject, parseInstant } from '@hearth/signing';

/** The members of a signed answer that a description needs. */
export interface SignedAnswer {
  ask: { title: string; choices: string[]; requested_by: string; requested_at: string; about_child: boolean };
  answers: Answer[];
  status: string;
  settled_at: string;
  /** Why an approved ask has no effect. */
  void?: string;
}

export interface Answer {
  to: string;
  name: string;
  decision: 'approved' | 'declined';
  answer?: string;
  note?: string;
  at: string;
  by: 'person' | 'ai';
  via: string;
  proof: string;
}

export const answerType = 'approval.answer';

const statuses = ['approved', 'declined', 'cancelled', 'expired'];
const decisions = ['approved', 'declined'];
const answerers = ['person', 'ai'];

/** Explains why a record of type approval.answer is malformed; null if it is well-formed. */
export function answerFormProblem(record: JsonObject): string | null {
  const { ask, answers } = record;
  if (record.v !== 1) return 'v must be 1';
  if (!isJsonObject(ask)) return 'ask must be an object';
  if (!Array.isArray(answers)) return 'answers must be a list';
  const problems = [
    textProblem(ask, 'ask.', ['title', 'requested_by', 'requested_at', 'digest']),
    isTexts(ask.choices) ? null : 'ask.choices must be a list of texts',
    typeof ask.about_child === 'boolean' ? null : 'ask.about_child must be true or false',
    wordProblem(record, '', 'status', statuses),
    timeProblem(record, '', 'settled_at'),
    record['void'] === undefined ? null : textProblem(record, '', ['void']),
    ...answers.map((answer, index) => answerProblem(answer, `answers[${index}]`)),
  ];
  return problems.find((problem) => problem !== null) ?? null;
}

function answerProblem(answer: unknown, path: string): string | null {
  if (!isJsonObject(answer)) return `${path} must be an object`;
  const optional = ['answer', 'note'].filter((name) => answer[name] !== undefined);
  return (
    textProblem(answer, `${path}.`, ['to', 'name', 'via', 'proof', ...optional]) ??
    wordProblem(answer, `${path}.`, 'decision', decisions) ??
    wordProblem(answer, `${path}.`, 'by', answerers) ??
    timeProblem(answer, `${path}.`, 'at')
  );
}

function textProblem(of: JsonObject, path: string, names: readonly string[]): string | null {
  const wrong = names.find((name) => typeof of[name] !== 'string');
  return wrong === undefined ? null : `${path}${wrong} must be a text`;
}

function wordProblem(of: JsonObject, path: string, name: string, words: readonly string[]): string | null {
  const value = of[name];
  if (typeof value === 'string' && words.includes(value)) return null;
  return `${path}${name} must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function timeProblem(of: JsonObject, path: string, name: string): string | null {
  return parseInstant(of[name]) === null ? `${path}${name} must be a time in UTC` : null;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
