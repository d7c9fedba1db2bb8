import { isHearthError } from '@hearth/errors';
import { verifyBytes } from './ed25519.ts';
import type { Fault, Problem } from './faults.ts';
import { instantOf, nanosOf } from './instant.ts';
import { isListedFor, keyProblemAt, type ListedKey } from './key-validity.ts';
import { importPublicKey, type PublicKey } from './keys.ts';
import { encodePayload, joinSigningInput } from './payload.ts';
import { isJsonObject, type JsonObject } from './profile.ts';
import { readClaimedKid, readSignature } from './read-signature.ts';
import { type DetachedSignature, maxSignatures, memberFor, type RecordType } from './record-types.ts';

export interface VerifyOptions {
  expectedType: RecordType;
  /** The home that owns these keys, and that the object must name. */
  home: string;
  /** From that home's own document. Never from the object itself. */
  keys: readonly ListedKey[];
  /** Milliseconds since 1970. Objects that expired before are refused. */
  now: number;
}

export interface Verification {
  valid: boolean;
  /** Sentences; empty if valid. */
  problems: string[];
  /** The same as codes. */
  faults: Fault[];
  /** The key of the valid signature. Without one, the claimed key, or null. */
  kid: string | null;
  /** Every key with a valid signature (home documents have several). */
  kids: string[];
}

/**
 * Checks an untrusted object by every rule of docs/protocol/records.md: signature, key, home, issue time and expiry.
 * Never throws because of the object's content. `valid` needs one valid signature: the one in `signature`, or any in
 * `signatures`.
 */
export function verifyRecord(object: unknown, options: VerifyOptions): Verification {
  if (!isJsonObject(object)) return refused({ fault: 'not_json', words: 'this is not a JSON object' });
  const entries = memberFor(options.expectedType) === 'signature' ? [object.signature] : object.signatures;
  if (!Array.isArray(entries) || entries.length === 0)
    return refused({ fault: 'no_signature', words: 'the object carries no signatures' });
  if (entries.length > maxSignatures)
    return refused({
      fault: 'signature_form',
      words: `the object carries more than ${maxSignatures} signatures`,
    });

  const results = checkEntries(object, entries, options);
  const kids = [...new Set(results.filter((result) => result.valid).map((result) => result.kid as string))];
  if (kids.length > 0) return { valid: true, problems: [], faults: [], kid: kids[0] ?? null, kids };
  return {
    valid: false,
    problems: [...new Set(results.flatMap((result) => result.problems))],
    faults: [...new Set(results.flatMap((result) => result.faults))],
    kid: results.find((result) => result.kid !== null)?.kid ?? null,
    kids: [],
  };
}

/**
 * Returns the valid entries among the first eight of `co_signatures`; `keys` holds the possible co-signers' keys. That
 * member isn't signed, so anyone can add to it. Invalid entries are ignored.
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

/** Returns the kids that claim to have signed a document, unchecked. */
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
    const problem: Problem = { fault: 'unreadable', words: thrown.message };
    return entries.map((entry) => refused(problem, readClaimedKid(entry)));
  }
}

function checkEntry(
  entry: unknown,
  payload: string,
  claims: { at: bigint } | Problem,
  options: VerifyOptions,
): Verification {
  const { expectedType, keys } = options;
  const read = readSignature(entry, expectedType);
  if (typeof read === 'string') {
    const fault = isJsonObject(entry) ? 'signature_form' : 'no_signature';
    return refused({ fault, words: read }, readClaimedKid(entry));
  }
  const { kid } = read;
  if ('fault' in claims) return refused(claims, kid);
  const [listed, second] = keys.filter((key) => key.kid === kid);
  if (second !== undefined)
    return refused({ fault: 'unknown_key', words: `the key ${kid} is listed twice` }, kid);
  if (listed === undefined || !isListedFor(listed, expectedType)) return refused(unknownKey(kid), kid);
  const untimely = keyProblemAt(listed, claims.at);
  if (untimely !== null) return refused(untimely, kid);
  if (expectedType === 'svc-home+jws' && listed.status !== 'active') {
    const words = 'the key is retired, and a home document needs one that is active';
    return refused({ fault: 'key_ended', words }, kid);
  }
  const key = readKey(listed);
  if ('fault' in key) return refused(key, kid);
  if (!verifyBytes(key.keyObject, joinSigningInput(read.protected, payload), read.bytes)) {
    return refused({ fault: 'mismatch', words: 'the signature does not fit the object' }, kid);
  }
  return { valid: true, problems: [], faults: [], kid, kids: [kid] };
}

function unknownKey(kid: string): Problem {
  return { fault: 'unknown_key', words: `the key ${kid} is not one of the signer's for this` };
}

function readKey(listed: ListedKey): PublicKey | Problem {
  try {
    return importPublicKey(listed);
  } catch (thrown) {
    if (isHearthError(thrown))
      return { fault: 'key_form', words: `the signer's key cannot be used: ${thrown.message}` };
    throw thrown;
  }
}

/**
 * Returns when the key must have been valid (nanoseconds since 1970), or a problem of the claims. A home
 * document must be valid now, because an old key could write an old date into it.
 */
function readClaims(object: JsonObject, options: VerifyOptions): { at: bigint } | Problem {
  const { expectedType, home, now } = options;
  const [origin, end] =
    expectedType === 'svc-envelope+jws' ? ['origin', 'expires_at'] : ['home', 'valid_until'];
  const present = nanosOf(now);
  if (typeof object[origin] !== 'string')
    return { fault: 'no_home', words: `${origin} is missing: it names the home whose key signed this` };
  if (object[origin] !== home)
    return { fault: 'other_home', words: `${origin} is not ${home}, whose keys these are` };
  const issued = instantOf(object.issued_at);
  if (issued === null)
    return {
      fault: 'undated',
      words:
        'issued_at must be an ISO 8601 time in UTC, such as 2026-01-02T03:04:05Z: it says when the key must have been valid',
    };
  const until = instantOf(object[end]);
  const isDocument = expectedType === 'svc-home+jws';
  if ((isDocument || object[end] !== undefined) && until === null)
    return {
      fault: 'expired',
      words: `${end} must be an ISO 8601 time in UTC, such as 2026-01-02T03:04:05Z`,
    };
  if (until !== null && until <= present)
    return { fault: 'expired', words: `it counted until ${object[end]}, which has passed` };
  return { at: isDocument && present > issued ? present : issued };
}

function refused({ fault, words }: Problem, kid: string | null = null): Verification {
  return { valid: false, problems: [words], faults: [fault], kid, kids: [] };
}
