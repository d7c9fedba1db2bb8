import { isHearthError } from '@hearth/errors';
import {
  goodCoSignatures,
  isJsonObject,
  type JsonObject,
  parseStrictJson,
  type RecordType,
  verifyRecord,
} from '@hearth/signing';
import { plain, quoted } from '../plain.ts';
import { answerFormProblem, answerType } from './answer-form.ts';
import { checkActs, checkHeldActs, noActs } from './check-acts.ts';
import type { HomeDocument } from './home-document.ts';

/** The maximum size of a record: the longest answers of twenty people, with co-signatures. */
export const maxRecordBytes = 262_144;

export interface Expected {
  document: HomeDocument;
  /** Documents of every home whose acts the record may contain. */
  documents: readonly HomeDocument[];
  /** The `typ` that the protected header must have. */
  type: RecordType;
  /** The expected digest of the ask; null to skip this check. */
  digest: string | null;
  /** Milliseconds since 1970. */
  now: number;
}

export interface Verdict {
  valid: boolean;
  /** Sentences; empty if the record is valid. */
  problems: string[];
  /** Notes for the reader beside the result. */
  notes: string[];
  /** The signature's kid, even if the signature is invalid; null if it names none. */
  kid: string | null;
  key_status: string | null;
  ask: 'same' | 'differs' | 'not compared';
  /** The home's keys with valid co-signatures. */
  co_signatures: string[];
  /** The record with its valid co-signatures; null if the record is invalid. */
  record: JsonObject | null;
}

/** Verifies an untrusted record with the keys of the given document only. Never throws for what the record contains. */
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

/** Finds problems that don't need a signature check. */
function outsideProblem(record: JsonObject, { document, type }: Expected): string | null {
  // An item between homes names its sender and its recipient.
  const member = type === 'svc-envelope+jws' ? 'origin' : 'home';
  const home = record[member];
  if (record.signature === undefined && isJsonObject(record.signed_answer)) {
    return 'this is an approval, not a record; use its signed_answer';
  }
  if (typeof home === 'string' && home !== document.home) {
    return `this record is from the home ${quoted(home, 100)}, but ${document.source} has the keys of ${document.home}; use --home with the document of ${quoted(home, 100)}`;
  }
  return null;
}

/** The home that an unverified record names; null if it names none. */
export function claimedHome(bytes: Uint8Array): string | null {
  try {
    const record = parseStrictJson(bytes, { maxBytes: maxRecordBytes });
    const home = isJsonObject(record) ? (record.home ?? record.origin) : null;
    return typeof home === 'string' ? home : null;
  } catch (thrown) {
    if (!isHearthError(thrown)) throw thrown;
    return null;
  }
}

function check(record: JsonObject, { document, documents, type, digest, now }: Expected): Verdict {
  const { home, keys } = document;
  const options = { expectedType: type, home, keys, now };
  const { valid, problems: unsigned, kid } = verifyRecord(record, options);
  const status = keys.find((key) => key.kid === kid)?.status ?? null;
  const base = { kid, key_status: status };
  if (!valid) return { ...refused(unsigned), ...base };

  const ask = compareAsk(record, digest);
  const form = record.type === answerType ? answerFormProblem(record) : null;
  const problems =
    form === null ? [] : [`the signature is valid, but this is not a well-formed answer: ${form}`];
  if (ask === 'differs') {
    problems.push(
      'ask.digest does not match the ask that you gave: the record answers a different ask, or one to someone else',
    );
  }
  const acts = form === null ? actsIn(record, documents, now) : noActs;
  problems.push(...acts.problems);
  const good = problems.length === 0;
  const co = goodCoSignatures(record, options);
  return {
    valid: good,
    problems: problems.map(plain),
    notes: [...notesOn(document, status), ...acts.notes].map(plain),
    ...base,
    ask,
    co_signatures: co.map(({ kid: by }) => by),
    record: good ? withGood(record, co) : null,
  };
}

function actsIn(record: JsonObject, documents: Expected['documents'], now: number) {
  return record.type === answerType
    ? checkActs(record, documents, now)
    : checkHeldActs(record, documents, now);
}

function compareAsk({ ask }: JsonObject, digest: string | null): Verdict['ask'] {
  if (digest === null) return 'not compared';
  return isJsonObject(ask) && ask.digest === digest ? 'same' : 'differs';
}

/** `co_signatures` isn't signed, so only its verified entries are kept. */
function withGood(
  { co_signatures, ...signed }: JsonObject,
  co: ReturnType<typeof goodCoSignatures>,
): JsonObject {
  if (co.length === 0) return signed;
  return { ...signed, co_signatures: co.map(({ entry }) => ({ ...entry })) };
}

function notesOn({ outdated, source, valid_until: until }: HomeDocument, status: string | null): string[] {
  return [
    ...(outdated ? [`${source} expired at ${until}, so it does not show keys revoked since then`] : []),
    ...(status === 'retired'
      ? [
          'the key is retired, and anyone who steals an old key can backdate records; rely on this record only if you had it before the key retired',
        ]
      : []),
  ];
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
