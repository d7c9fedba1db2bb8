import { isHearthError } from '@hearth/errors';
import {
  isJsonObject,
  type JsonObject,
  type ListedKey,
  parseInstant,
  parseStrictJson,
  verifyRecord,
} from '@hearth/signing';
import { Failure } from '../failure.ts';
import { plain, quoted } from '../plain.ts';

/** The most bytes of a home's document that are taken. */
export const maxDocumentBytes = 65_536;

/** A home's document, checked; its keys verify the records of that home. */
export interface HomeDocument {
  /** The file or the address. */
  source: string;
  /** The home's name. */
  home: string;
  issued_at: string | null;
  valid_until: string | null;
  /** Its time had passed when it was read. */
  outdated: boolean;
  findKey(kid: string): ListedKey | null;
}

/**
 * Reads a home's document and checks that the home itself signed it.
 *
 * @param now milliseconds since 1970
 * @throws Failure for what is no document, or not signed by a key that it lists
 */
export function readHomeDocument(bytes: Uint8Array, source: string, now: number): HomeDocument {
  const refuse = (why: string) => new Failure(`${source} is no document of a home: ${plain(why)}`);
  const document = parse(bytes, refuse);
  const { home } = document;
  if (typeof home !== 'string' || home === '') throw refuse('it does not name its home');
  const keys = keysOf(document, refuse);
  const { valid, problems } = verifyRecord(document, {
    expectedType: 'svc-home+jws',
    findKey: (kid) => keys.get(kid),
  });
  if (!valid) throw refuse(`it is not signed by that home: ${problems.join('; ')}`);
  const until = parseInstant(document.valid_until);
  return {
    source,
    home,
    issued_at: textOf(document.issued_at),
    valid_until: textOf(document.valid_until),
    outdated: until !== null && until <= now,
    findKey: (kid) => {
      const key = keys.get(kid);
      return key !== undefined && signsRecords(key) ? key : null;
    },
  };
}

function parse(bytes: Uint8Array, refuse: (why: string) => Failure): JsonObject {
  try {
    const document = parseStrictJson(bytes, { maxBytes: maxDocumentBytes });
    if (isJsonObject(document)) return document;
  } catch (thrown) {
    if (!isHearthError(thrown)) throw thrown;
    throw refuse(thrown.message);
  }
  throw refuse('it is not a JSON object');
}

function keysOf({ keys }: JsonObject, refuse: (why: string) => Failure): Map<string, ListedKey> {
  const found = new Map<string, ListedKey>();
  if (!Array.isArray(keys)) throw refuse('it lists no keys');
  for (const key of keys) {
    if (!isJsonObject(key) || typeof key.kid !== 'string') throw refuse('it lists a key without a kid');
    // With two keys under one name, the author of the document could choose which one counts.
    if (found.has(key.kid)) throw refuse(`it lists the key ${quoted(key.kid, 60)} twice`);
    // The key's own members are checked when it is used.
    found.set(key.kid, key as unknown as ListedKey);
  }
  return found;
}

function signsRecords(key: ListedKey & { uses?: unknown }): boolean {
  return key.uses === undefined || (Array.isArray(key.uses) && key.uses.includes('record'));
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
