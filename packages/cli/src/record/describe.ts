import type { JsonObject } from '@hearth/signing';
import { plain, quoted } from '../plain.ts';
import { factsTable } from '../table.ts';
import { type Answer, answerType, type SignedAnswer } from './answer-form.ts';
import type { Verdict } from './check-record.ts';
import { outcomeRows } from './describe-outcome.ts';
import type { HomeDocument } from './home-document.ts';

/** Describes a valid record, quoting other authors' texts. */
export function describeValid(record: JsonObject, verdict: Verdict, document: HomeDocument): string {
  const head = `Valid: signed by ${plain(document.home)} on ${plain(String(record.issued_at))}, with a key that was valid at that time.`;
  const body =
    record.type === answerType
      ? describeAnswer(record as unknown as SignedAnswer, verdict, String(record.id))
      : rows(outcomeRows(record));
  return [head, '', body, ...verdict.notes.map((note) => `\nNote: ${note}.`)].join('\n');
}

/** Explains why a record is invalid. */
export function describeRefused({ problems }: Verdict): string {
  return [
    "Invalid: the record could not be verified, so don't rely on any of it:",
    ...problems.map((problem) => `  - ${problem}`),
  ].join('\n');
}

function describeAnswer(
  { ask, answers, status, settled_at, void: why }: SignedAnswer,
  verdict: Verdict,
  id: string,
): string {
  const { title, choices, requested_by, requested_at, about_child } = ask;
  const compared =
    verdict.ask === 'same' ? 'matches the one you gave' : 'not compared; use --ask to compare it';
  const facts = rows([
    ['asked', quoted(title)],
    ...(choices.length === 0
      ? []
      : [['choices', choices.map((choice) => quoted(choice)).join(', ')] as const]),
    ['by', `${quoted(requested_by)} on ${plain(requested_at)}`],
    ...(about_child ? [['about', 'a person under 18'] as const] : []),
    ['outcome', `${status} on ${settled_at}`],
    ...(why === undefined ? [] : [['void', voidWords(why)] as const]),
    ['ask', compared],
    ['record', quoted(id, 100)],
  ]);
  const given = answers.length === 0 ? ['No one answered.'] : answers.map(describeOne);
  return [facts, '', ...given].join('\n');
}

const voids = new Map([
  ['archived', 'the group was archived before the answer was signed'],
  ['asker_gone', 'the account that asked was deleted or switched off before the answer was signed'],
  ['no_say', 'the approver could no longer decide this when the answer was signed'],
]);
const voidWords = (why: string) => voids.get(why) ?? quoted(why, 60);

const decisions = { approved: 'yes', declined: 'no' };
const answerers = { person: 'a person', ai: 'an AI, not a person' };
const vias: Readonly<Record<string, string>> = {
  web: "on the home's pages",
  mcp: 'over MCP',
  api: 'over the API',
  app: 'through an app acting for them',
  home: 'at the home itself',
};
const proofs: Readonly<Record<string, string>> = {
  tap: 'confirmed with a tap',
  passkey: 'confirmed with a passkey',
  email: 'confirmed with a link sent by email',
  key: 'authenticated with a key',
};

function describeOne({ to, name, decision, answer, note, at, by, via, proof }: Answer): string {
  const way = Object.hasOwn(vias, via) ? vias[via] : `via ${quoted(via, 40)}`;
  const shown = Object.hasOwn(proofs, proof) ? proofs[proof] : `with proof ${quoted(proof, 40)}`;
  return [
    `${quoted(name)} (${quoted(to)}) answered ${decisions[decision]} on ${at}: ${answerers[by]}, ${way}, ${shown}.`,
    ...(answer === undefined ? [] : [`  answer  ${quoted(answer)}`]),
    ...(note === undefined ? [] : [`  note    ${quoted(note)}`]),
  ].join('\n');
}

const rows = (facts: Parameters<typeof factsTable>[0]) => factsTable(facts).replace(/^/gm, '  ');
