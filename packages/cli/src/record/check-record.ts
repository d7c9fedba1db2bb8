import { isHearthError } from '@hearth/errors';
import {
  claimedKids,
  isJsonObject,
  type JsonObject,
  parseInstant,
  parseStrictJson,
  type RecordType,
  verifyCoSignatures,
  verifyRecord,
} from '@hearth/signing';
import { plain, quoted } from '../plain.ts';
import { answerFormProblem, answerType } from './answer-form.ts';
import type { HomeDocument } from './home-document.ts';

/** The most bytes of a record that are taken: the longest answers of twenty, with their co-signatures. */
export const maxRecordBytes = 262_144;

export interface Expected {
  document: HomeDocument;
  /** The members that the protected header must have. */
  type: RecordType;
  /** The digest of what was asked; null to leave it aside. */
  digest: string | null;
  /** Milliseconds since 1970. */
  now: number;
}

export interface Verdict {
  valid: boolean;
  /** Sentences, empty when valid. */
  problems: string[];
  /** Notes for the reader beside the result. */
  notes: string[];
  /** The kid of the signature, also where it is not valid; null when it names none. */
  kid: string | null;
  key_status: string | null;
  ask: 'same' | 'differs' | 'not compared';
  co_signatures: { kid: string | null; result: 'good' | 'not checked' | 'wrong' }[];
  /** The record itself, when it is valid: nothing of another one counts. */
  record: JsonObject | null;
}

/** Verifies a record that came from anywhere, with the keys of that document alone. Never throws for what it holds. */
export function checkRecord(bytes: Uint8Array, expected: Expected): Verdict {
  let record: unknown;
  try {
    record = parseStrictJson(bytes, { maxBytes: maxRecordBytes });
  } catch (thrown) {
    if (!isHearthError(thrown)) throw thrown;
    return refused([thrown.message]);
  }
  if (!isJsonObject(record)) return refused(['this is not a JSON object']);
  const strange = outsideProblem(record, expected);
  return strange === null ? check(record, expected) : refused([strange]);
}

/** Faults that show before any signature is looked at. */
function outsideProblem(record: JsonObject, { document, type }: Expected): string | null {
  // An item between homes says who sent it, and to whom.
  const member = type === 'svc-envelope+jws' ? 'origin' : 'home';
  const home = record[member];
  if (record.signature === undefined && isJsonObject(record.signed_answer)) {
    return 'this is no record but an approval; its record is the member signed_answer, give that';
  }
  if (typeof home !== 'string') return `${member} is missing: it names the home whose key signed this`;
  if (home !== document.home) {
    return `this is a record of the home ${quoted(home, 100)}, and ${document.source} has the keys of ${document.home}: give --home the document of that home`;
  }
  if (record.issued_at === undefined && type !== 'svc-home+jws') {
    return 'issued_at is missing: it says when the key must have been valid';
  }
  return null;
}

function check(record: JsonObject, { document, type, digest, now }: Expected): Verdict {
  const {
    valid,
    problems: unsigned,
    kid,
  } = verifyRecord(record, { expectedType: type, findKey: document.findKey });
  const known = kid === null ? null : document.findKey(kid);
  const base = { kid, key_status: known?.status ?? null };
  if (!valid) return { ...refused(unsigned), ...base };

  const ask = compareAsk(record, digest);
  const co = checkCoSignatures(record, document, type);
  const problems = [...co.problems, ...contentProblems(record, now)];
  if (ask === 'differs') {
    problems.push(
      'ask.digest is not that of the ask that you gave: this answers something else, or somebody else was asked',
    );
  }
  const good = problems.length === 0;
  return {
    valid: good,
    problems: problems.map(plain),
    notes: [...co.notes, ...notesOn(document)].map(plain),
    ...base,
    ask,
    co_signatures: co.results,
    record: good ? record : null,
  };
}

function compareAsk({ ask }: JsonObject, digest: string | null): Verdict['ask'] {
  if (digest === null) return 'not compared';
  return isJsonObject(ask) && ask.digest === digest ? 'same' : 'differs';
}

function contentProblems(record: JsonObject, now: number): string[] {
  const problems: string[] = [];
  const until = record.valid_until === undefined ? null : parseInstant(record.valid_until);
  if (record.valid_until !== undefined && (until === null || until <= now)) {
    problems.push(`it counted until ${quoted(String(record.valid_until), 60)}, which has passed`);
  }
  const form = record.type === answerType ? answerFormProblem(record) : null;
  if (form !== null) problems.push(`the home signed it, but it has not the form of an answer: ${form}`);
  return problems;
}

/** Those by keys of this home must be good. Others are by a side's own key, which this home's document cannot know. */
function checkCoSignatures(record: JsonObject, { findKey }: HomeDocument, type: RecordType) {
  const problems: string[] = [];
  const notes: string[] = [];
  const entries = Array.isArray(record.co_signatures) ? record.co_signatures : [];
  const results = verifyCoSignatures(record, { expectedType: type, findKey }).map((verification, index) => {
    const [kid = null] = claimedKids({ signature: entries[index] });
    const name = `co_signatures[${index}]`;
    if (verification.valid) return { kid, result: 'good' as const };
    if (kid !== null && findKey(kid) === null && isUnknownKey(verification.problems)) {
      notes.push(`${name} is by the key ${kid}, which is none of this home's, and was not checked`);
      return { kid, result: 'not checked' as const };
    }
    problems.push(`${name} is wrong: ${verification.problems.join('; ')}`);
    return { kid, result: 'wrong' as const };
  });
  return { results, problems, notes };
}

/** Everything else about the entry was in order. */
function isUnknownKey(problems: readonly string[]): boolean {
  return problems.every((problem) => problem.endsWith("is not one of the signer's"));
}

function notesOn({ outdated, source, valid_until: until }: HomeDocument): string[] {
  if (!outdated) return [];
  return [`${source} was valid until ${until}: whether a key was revoked since then it does not say`];
}

function refused(problems: readonly string[]): Verdict {
  return {
    valid: false,
    problems: problems.map(plain),
    notes: [],
    kid: null,
    key_status: null,
    ask: 'not compared',
    co_signatures: [],
    record: null,
  };
}
