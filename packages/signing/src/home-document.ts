import { isHearthError } from '@hearth/errors';
import { instantOf, nanosOf, parseInstant } from './instant.ts';
import type { KeyStatus, ListedKey } from './key-validity.ts';
import { isKid, requireKeyForm } from './keys.ts';
import { isJsonObject, type JsonObject } from './profile.ts';
import { verifyRecord } from './verify-record.ts';

/** A verified home document, as far as readers rely on it. */
export type HomeDocument = JsonObject & {
  home: string;
  doc_seq: number;
  issued_at: string;
  valid_until: string;
  keys: ListedKey[];
};

export interface ReadDocument {
  document: HomeDocument;
  /** The keys with a valid signature on it. */
  kids: string[];
  /** True if its validity has ended. It was valid when issued, but can't tell which keys were revoked since. */
  lapsed: boolean;
}

const minute = 60_000;
const day = 24 * 60 * minute;
const mostAheadMs = 5 * minute;
const longestMs = 7 * day;
/** The most keys in a document. A kid never leaves its home's document, so a home can issue no more. */
export const mostDocumentKeys = 150;
/** In the order of a key's life. */
export const keyStatuses: readonly KeyStatus[] = ['next', 'active', 'retired', 'revoked'];

/**
 * Checks a home's document by itself (docs/protocol/home-document.md, "Reading a document", 2 to 4). Returns a sentence
 * if it is invalid.
 *
 * @param value JSON from a strict parser
 * @param by `home` is the requested name, `now` is in milliseconds since 1970
 */
export function readHomeDocument(value: unknown, by: { home: string; now: number }): ReadDocument | string {
  if (!isJsonObject(value)) return 'this is not a JSON object';
  const { keys, doc_seq, issued_at, valid_until } = value;
  const problem = keysProblem(keys);
  if (problem !== null) return problem;
  if (!Number.isSafeInteger(doc_seq) || (doc_seq as number) < 0)
    return 'doc_seq must be an integer, 0 or more';
  const issued = parseInstant(issued_at);
  const until = instantOf(valid_until);
  const lapsed = issued !== null && until !== null && until <= nanosOf(by.now);
  const { valid, problems, kids } = verifyRecord(value, {
    expectedType: 'svc-home+jws',
    home: by.home,
    keys: keys as unknown as ListedKey[],
    now: lapsed ? issued : by.now,
  });
  if (!valid) return problems.join('; ');
  const exactly = instantOf(issued_at) as bigint;
  if (exactly > nanosOf(by.now + mostAheadMs)) return 'issued_at lies more than 5 minutes ahead';
  if ((until as bigint) > exactly + nanosOf(longestMs))
    return 'valid_until is more than 7 days after issued_at';
  return { document: value as HomeDocument, kids, lapsed };
}

function keysProblem(keys: unknown): string | null {
  if (!Array.isArray(keys)) return 'it lists no keys';
  if (keys.length > mostDocumentKeys) return `it lists more than ${mostDocumentKeys} keys`;
  const kids = new Set<string>();
  for (const key of keys as unknown[]) {
    if (!isJsonObject(key) || !isKid(key.kid)) return 'it lists a key without a kid';
    // With two keys of one kid, the document's author could choose which one counts.
    if (kids.has(key.kid)) return `it lists the key ${key.kid} twice`;
    kids.add(key.kid);
    const problem = keyProblem(key);
    if (problem !== null) return `it lists the key ${key.kid}: ${problem}`;
  }
  return null;
}

function keyProblem(key: JsonObject): string | null {
  const { uses, status, not_before, not_after, revoked_at } = key;
  if (!Array.isArray(uses) || !uses.every((use) => typeof use === 'string'))
    return 'uses must be a list of texts';
  if (!keyStatuses.includes(status as KeyStatus)) return `status must be one of ${keyStatuses.join(', ')}`;
  const times = [not_before, not_after ?? not_before, revoked_at ?? not_before];
  if (times.some((time) => instantOf(time) === null)) return 'its times must be ISO 8601 in UTC';
  try {
    requireKeyForm(key);
    return null;
  } catch (thrown) {
    if (isHearthError(thrown)) return thrown.message;
    throw thrown;
  }
}
