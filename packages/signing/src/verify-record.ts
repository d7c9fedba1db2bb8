import { isHearthError } from '@hearth/errors';
import { verifyBytes } from './ed25519.ts';
import { keyProblemAt, type ListedKey, parseInstant } from './key-validity.ts';
import { importPublicKey, type PublicKey } from './keys.ts';
import { encodePayload, joinSigningInput } from './payload.ts';
import { isJsonObject } from './profile.ts';
import { readClaimedKid, readSignature } from './read-signature.ts';
import { maxSignatures, memberFor, type RecordType, type SignatureMember } from './record-types.ts';

export interface VerifyOptions {
  expectedType: RecordType;
  /** The key with that id in the signing home's own document, or null. Never from the object itself. */
  findKey(kid: string): ListedKey | null | undefined;
  /**
   * The moment at which the key must have been valid: by default the object's own `issued_at` (none:
   * time is left aside). Null leaves time aside.
   */
  at?: Date | string | null;
  /** Lets a key that was revoked later count; see keyProblemAt for when that is safe (default false). */
  allowRevoked?: boolean;
  /** Where the signatures stand (default: `signatures` for home documents, else `signature`). */
  member?: SignatureMember;
}

export interface Verification {
  valid: boolean;
  /** Sentences, empty when valid. */
  problems: string[];
  /** The key that made the valid signature; when there is none, the one that was claimed, or null. */
  kid: string | null;
  /** Every key with a valid signature (home documents carry several). */
  kids: string[];
}

/**
 * Checks the signature of an object that came from anywhere. Never throws for what the object holds;
 * `valid` needs one good signature (of the one in `signature`, or of those in `signatures`).
 */
export function verifyRecord(object: unknown, options: VerifyOptions): Verification {
  const member = options.member ?? memberFor(options.expectedType);
  if (!isJsonObject(object)) return refused('this is not a JSON object');
  const entries = member === 'signature' ? [object.signature] : object.signatures;
  if (!Array.isArray(entries) || entries.length === 0) return refused('the object carries no signatures');
  if (entries.length > maxSignatures)
    return refused(`the object carries more than ${maxSignatures} signatures`);

  const results = checkEntries(object, entries, member, options);
  const kids = [...new Set(results.filter((result) => result.valid).map((result) => result.kid as string))];
  if (kids.length > 0) return { valid: true, problems: [], kid: kids[0] ?? null, kids };
  return {
    valid: false,
    problems: [...new Set(results.flatMap((result) => result.problems))],
    kid: results.find((result) => result.kid !== null)?.kid ?? null,
    kids: [],
  };
}

/**
 * Checks each entry of `co_signatures` by itself, in order; an object without any gives an empty list.
 * `findKey` answers for the keys of whoever may co-sign. One entry too many refuses them all.
 */
export function verifyCoSignatures(object: unknown, options: Omit<VerifyOptions, 'member'>): Verification[] {
  if (!isJsonObject(object) || object.co_signatures === undefined) return [];
  const entries = object.co_signatures;
  if (!Array.isArray(entries)) return [refused('co_signatures must be a list')];
  if (entries.length > maxSignatures)
    return [refused(`the object carries more than ${maxSignatures} co-signatures`)];
  return checkEntries(object, entries, 'signature', options);
}

/** The kids that an object claims to be signed by, unchecked: what to fetch before verifying. */
export function claimedKids(object: unknown, member: SignatureMember = 'signature'): string[] {
  if (!isJsonObject(object)) return [];
  const entries = member === 'signature' ? [object.signature] : object.signatures;
  if (!Array.isArray(entries)) return [];
  const kids = entries.slice(0, maxSignatures).map(readClaimedKid);
  return [...new Set(kids.filter((kid) => kid !== null))];
}

function checkEntries(
  object: object,
  entries: unknown[],
  member: SignatureMember,
  options: VerifyOptions,
): Verification[] {
  const at = readMoment(object, options.at);
  if (typeof at === 'string') return entries.map(() => refused(at));
  let payload: string;
  try {
    payload = encodePayload(object, member);
  } catch (thrown) {
    if (!isHearthError(thrown)) throw thrown;
    return entries.map((entry) => refused(thrown.message, readClaimedKid(entry)));
  }
  return entries.map((entry) => checkEntry(entry, payload, at, options));
}

function checkEntry(
  entry: unknown,
  payload: string,
  at: number | null,
  options: VerifyOptions,
): Verification {
  const read = readSignature(entry, options.expectedType);
  if (typeof read === 'string') return refused(read, readClaimedKid(entry));
  const { kid } = read;
  const listed = options.findKey(kid);
  if (!listed) return refused(`the key ${kid} is not one of the signer's`, kid);
  const untimely = keyProblemAt(listed, at, options.allowRevoked === true);
  if (untimely !== null) return refused(untimely, kid);
  const key = readKey(listed);
  if (typeof key === 'string') return refused(key, kid);
  if (!verifyBytes(key.keyObject, joinSigningInput(read.protected, payload), read.bytes)) {
    return refused('the signature does not fit the object', kid);
  }
  return { valid: true, problems: [], kid, kids: [kid] };
}

function readKey(listed: ListedKey): PublicKey | string {
  try {
    return importPublicKey(listed);
  } catch (thrown) {
    if (isHearthError(thrown)) return `the signer's key cannot be used: ${thrown.message}`;
    throw thrown;
  }
}

/** Milliseconds since 1970, null when time is left aside, or the sentence that says what is wrong. */
function readMoment(object: object, at: Date | string | null | undefined): number | null | string {
  if (at === null) return null;
  if (at instanceof Date) {
    const time = at.getTime();
    return Number.isNaN(time) ? 'the moment to check at is not a time' : time;
  }
  const text = at ?? (object as { issued_at?: unknown }).issued_at;
  if (text === undefined) return null;
  return parseInstant(text) ?? 'issued_at must be an ISO 8601 time in UTC, such as 2026-01-02T03:04:05Z';
}

function refused(problem: string, kid: string | null = null): Verification {
  return { valid: false, problems: [problem], kid, kids: [] };
}
