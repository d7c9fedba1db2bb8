import { isHearthError } from '@hearth/errors';
import { verifyBytes } from './ed25519.ts';
import { instantOf, nanosOf } from './instant.ts';
import { isListedFor, keyProblemAt, type ListedKey } from './key-validity.ts';
import { importPublicKey, type PublicKey } from './keys.ts';
import { encodePayload, joinSigningInput } from './payload.ts';
import { isJsonObject, type JsonObject } from './profile.ts';
import { readClaimedKid, readSignature } from './read-signature.ts';
import { type DetachedSignature, maxSignatures, memberFor, type RecordType } from './record-types.ts';

export interface VerifyOptions {
  expectedType: RecordType;
  /** The home whose keys these are: the object must say that it is of that home. */
  home: string;
  /** As that home's own document lists them. Never from the object itself. */
  keys: readonly ListedKey[];
  /** Milliseconds since 1970: what counted until before that is refused. */
  now: number;
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
 * Checks an object that came from anywhere by every rule of docs/protocol/records.md: its signature, the key, whose it
 * is, when it was issued and until when it counts. Never throws for what the object holds; `valid` needs one good
 * signature (that in `signature`, or one of those in `signatures`).
 */
export function verifyRecord(object: unknown, options: VerifyOptions): Verification {
  if (!isJsonObject(object)) return refused('this is not a JSON object');
  const entries = memberFor(options.expectedType) === 'signature' ? [object.signature] : object.signatures;
  if (!Array.isArray(entries) || entries.length === 0) return refused('the object carries no signatures');
  if (entries.length > maxSignatures)
    return refused(`the object carries more than ${maxSignatures} signatures`);

  const results = checkEntries(object, entries, options);
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
 * The good entries among the first eight of `co_signatures`, for which `keys` holds those of whoever may co-sign.
 * That member is not signed, so that anybody may add to it: all else in it counts for nothing and refuses nothing.
 */
export function goodCoSignatures(
  object: unknown,
  options: VerifyOptions,
): { kid: string; entry: DetachedSignature }[] {
  if (!isJsonObject(object) || !Array.isArray(object.co_signatures)) return [];
  const entries: unknown[] = object.co_signatures.slice(0, maxSignatures);
  return checkEntries(object, entries, options).flatMap(({ valid, kid }, index) =>
    valid && kid !== null ? [{ kid, entry: entries[index] as DetachedSignature }] : [],
  );
}

/** The kids by which a document claims to be signed, unchecked. */
export function claimedKids({ signatures }: { signatures?: unknown }): string[] {
  const entries: unknown[] = Array.isArray(signatures) ? signatures.slice(0, maxSignatures) : [];
  return [...new Set(entries.map(readClaimedKid).filter((kid) => kid !== null))];
}

function checkEntries(object: JsonObject, entries: unknown[], options: VerifyOptions): Verification[] {
  const claims = readClaims(object, options);
  try {
    const payload = encodePayload(object, memberFor(options.expectedType));
    return entries.map((entry) => checkEntry(entry, payload, claims, options));
  } catch (thrown) {
    if (!isHearthError(thrown)) throw thrown;
    return entries.map((entry) => refused(thrown.message, readClaimedKid(entry)));
  }
}

function checkEntry(
  entry: unknown,
  payload: string,
  claims: { at: bigint } | string,
  options: VerifyOptions,
): Verification {
  const { expectedType, keys } = options;
  const read = readSignature(entry, expectedType);
  if (typeof read === 'string') return refused(read, readClaimedKid(entry));
  const { kid } = read;
  if (typeof claims === 'string') return refused(claims, kid);
  const [listed, second] = keys.filter((key) => key.kid === kid);
  if (second !== undefined) return refused(`the key ${kid} is listed twice`, kid);
  if (listed === undefined || !isListedFor(listed, expectedType)) return refused(unknownKey(kid), kid);
  const untimely = keyProblemAt(listed, claims.at);
  if (untimely !== null) return refused(untimely, kid);
  if (expectedType === 'svc-home+jws' && listed.status !== 'active') {
    return refused('the key is retired, and a home document needs one that is active', kid);
  }
  const key = readKey(listed);
  if (typeof key === 'string') return refused(key, kid);
  if (!verifyBytes(key.keyObject, joinSigningInput(read.protected, payload), read.bytes)) {
    return refused('the signature does not fit the object', kid);
  }
  return { valid: true, problems: [], kid, kids: [kid] };
}

function unknownKey(kid: string): string {
  return `the key ${kid} is not one of the signer's for this`;
}

function readKey(listed: ListedKey): PublicKey | string {
  try {
    return importPublicKey(listed);
  } catch (thrown) {
    if (isHearthError(thrown)) return `the signer's key cannot be used: ${thrown.message}`;
    throw thrown;
  }
}

/**
 * The moment at which the key must have been valid (nanoseconds since 1970), or the sentence that says what is wrong
 * with the object's claims. A home document must be good now, since an old key could write it with an old date.
 */
function readClaims(object: JsonObject, options: VerifyOptions): { at: bigint } | string {
  const { expectedType, home, now } = options;
  const [origin, end] =
    expectedType === 'svc-envelope+jws' ? ['origin', 'expires_at'] : ['home', 'valid_until'];
  const present = nanosOf(now);
  if (typeof object[origin] !== 'string')
    return `${origin} is missing: it names the home whose key signed this`;
  if (object[origin] !== home) return `${origin} is not ${home}, whose keys these are`;
  const issued = instantOf(object.issued_at);
  if (issued === null)
    return 'issued_at must be an ISO 8601 time in UTC, such as 2026-01-02T03:04:05Z: it says when the key must have been valid';
  const until = instantOf(object[end]);
  const isDocument = expectedType === 'svc-home+jws';
  if ((isDocument || object[end] !== undefined) && until === null)
    return `${end} must be an ISO 8601 time in UTC, such as 2026-01-02T03:04:05Z`;
  if (until !== null && until <= present) return `it counted until ${object[end]}, which has passed`;
  return { at: isDocument && present > issued ? present : issued };
}

function refused(problem: string, kid: string | null = null): Verification {
  return { valid: false, problems: [problem], kid, kids: [] };
}
