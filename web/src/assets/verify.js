// Verifies a signed record with only the record and the document of its home: parses the JSON strictly,
// writes its canonical text (RFC 8785), and verifies the Ed25519 signature (RFC 7515, detached payload) with
// a key that the document lists. Takes neither an address nor a key from the record itself.

const maxText = 1_048_576;
const maxDepth = 32;
const recordType = 'svc-record+jws';

/** An error in the record; its message is one of the `faults` of packages/signing. */
class Problem extends Error {}

/**
 * @param {string} text the record's text
 * @param {{home?: unknown, keys?: unknown}} document the home's document
 * @param {{Point: any}} curve the points of Ed25519, from a library
 * @param {number} now milliseconds since 1970
 * @returns {Promise<{verdict: 'valid' | 'invalid' | 'revoked' | 'elsewhere', fault: string, kid: string |
 * null, record: Record<string, unknown> | null}>}
 */
export async function checkRecord(text, document, { Point }, now) {
  let record = null;
  let kid = null;
  const answer = (verdict, fault = '') => ({ verdict, fault, kid, record });
  try {
    record = readObject(text);
    if (typeof record.home !== 'string') return answer('invalid', 'no_home');
    if (record.home !== document.home) return answer('elsewhere', 'other_home');
    const signed = readSignature(record.signature);
    kid = signed.kid;
    const key = listedKey(document, kid);
    if (isRevoked(key)) return answer('revoked', 'key_revoked');
    checkTime(key, record, BigInt(now) * nanosInMilli);
    const input = new TextEncoder().encode(`${signed.header}.${base64urlOf(payloadOf(record))}`);
    if (!(await fits(Point, signed.bytes, input, keyBytes(key)))) return answer('invalid', 'mismatch');
    return answer('valid');
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return answer('invalid', error.message);
  }
}

function readObject(text) {
  const record = readStrictJson(text);
  if (!isObject(record)) throw new Problem('not_json');
  return record;
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

// The signature

function readSignature(entry) {
  if (!isObject(entry)) throw new Problem('no_signature');
  const { protected: header, signature, ...others } = entry;
  if (typeof header !== 'string' || typeof signature !== 'string' || Object.keys(others).length > 0) {
    throw new Problem('signature_form');
  }
  const kid = readHeader(header);
  const bytes = signature.length <= 100 ? bytesOf(signature) : null;
  if (bytes?.length !== 64) throw new Problem('signature_form');
  return { header, kid, bytes };
}

/** Rejects unknown members: a key, or the address of one, in the record would let its sender choose who verifies. */
function readHeader(text) {
  const bytes = text.length <= 1_024 ? bytesOf(text) : null;
  if (bytes === null) throw new Problem('signature_form');
  const header = jsonOf(bytes);
  if (!isObject(header)) throw new Problem('signature_form');
  if (Object.keys(header).some((name) => !['alg', 'kid', 'typ'].includes(name))) {
    throw new Problem('signature_form');
  }
  // Two names of the same algorithm (RFC 8037 and RFC 9864).
  if (!['EdDSA', 'Ed25519'].includes(header.alg) || header.typ !== recordType) {
    throw new Problem('signature_form');
  }
  if (typeof header.kid !== 'string' || !/^[A-Za-z0-9._~:-]{1,128}$/.test(header.kid)) {
    throw new Problem('signature_form');
  }
  return header.kid;
}

function jsonOf(bytes) {
  try {
    return readStrictJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), 4);
  } catch {
    throw new Problem('signature_form');
  }
}

// The key

function listedKey({ keys }, kid) {
  const found = Array.isArray(keys) ? keys.filter((listed) => isObject(listed) && listed.kid === kid) : [];
  const signsRecords = found.length === 1 && Array.isArray(found[0].uses) && found[0].uses.includes('record');
  if (!signsRecords) throw new Problem('unknown_key');
  return found[0];
}

const isGiven = (value) => value !== undefined && value !== null;

const isRevoked = ({ status, revoked_at }) => status === 'revoked' || isGiven(revoked_at);

/** Throws unless the key was valid when the record was issued, and the record is still valid. */
function checkTime({ status, not_before, not_after }, { issued_at, valid_until }, now) {
  const at = instantOf(issued_at);
  const start = instantOf(not_before);
  const end = instantOf(not_after);
  const until = instantOf(valid_until);
  if (at === null) throw new Problem('undated');
  if (status !== 'active' && status !== 'retired') throw new Problem('key_early');
  if (start === null || (isGiven(not_after) && end === null)) {
    throw new Problem('key_form');
  }
  if (at < start) throw new Problem('key_early');
  if ((end !== null && at >= end) || (status === 'retired' && end === null)) {
    throw new Problem('key_ended');
  }
  if (valid_until !== undefined && (until === null || until <= now)) {
    throw new Problem('expired');
  }
}

const nanosInMilli = 1_000_000n;

/** Nanoseconds since 1970 of an ISO 8601 time in UTC; null if invalid, such as 30 February. */
function instantOf(text) {
  if (typeof text !== 'string') return null;
  const found = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d{1,9}))?Z$/.exec(text);
  if (found === null) return null;
  const seconds = Date.parse(`${text.slice(0, 19)}Z`);
  if (Number.isNaN(seconds) || !new Date(seconds).toISOString().startsWith(text.slice(0, 19))) return null;
  return BigInt(seconds) * nanosInMilli + BigInt((found[1] ?? '').padEnd(9, '0'));
}

function keyBytes({ kty, crv, x, d }) {
  const bytes = typeof x === 'string' && x.length <= 128 ? bytesOf(x) : null;
  if (kty !== 'OKP' || crv !== 'Ed25519' || bytes?.length !== 32 || d !== undefined) {
    throw new Problem('key_form');
  }
  return bytes;
}

// Ed25519, RFC 8032 5.1.7 without the factor 8, and only keys of prime order, so that no two verifiers differ

const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n;

async function fits(Point, signature, message, key) {
  const point = pointOf(Point, key);
  const s = numberOf(signature.subarray(32));
  if (point === null) throw new Problem('key_form');
  if (s >= groupOrder) return false;
  const r = signature.subarray(0, 32);
  const hash = await crypto.subtle.digest('SHA-512', Uint8Array.from([...r, ...key, ...message]));
  const k = numberOf(new Uint8Array(hash)) % groupOrder;
  const expected = Point.BASE.multiply(s, false).subtract(point.multiply(k, false)).toBytes();
  return r.every((byte, index) => byte === expected[index]);
}

function pointOf(Point, bytes) {
  try {
    const point = Point.fromBytes(bytes, false);
    return point.isSmallOrder() || !point.isTorsionFree() ? null : point;
  } catch {
    return null;
  }
}

function numberOf(bytes) {
  return bytes.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

// Base64url as RFC 7515 writes it: no padding, no line breaks, no stray bits

function bytesOf(text) {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return base64urlOf(bytes) === text ? bytes : null;
}

function base64urlOf(bytes) {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

// Canonical JSON

function payloadOf({ signature, co_signatures, ...signed }) {
  return new TextEncoder().encode(canonicalText(signed));
}

/** The RFC 8785 text of a value from readStrictJson. */
export function canonicalText(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  // sort() compares UTF-16 code units by default, as RFC 8785 requires.
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalText(value[name])}`);
  return `{${members.join(',')}}`;
}

// Strict JSON, which no two parsers read differently

const space = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes the control characters.
const string = /"(?:[^"\\\u0000-\u001f]|\\.)*"/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const words = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/**
 * JSON as JSON.parse reads it, but without duplicate members, fractions, exponents, -0, integers beyond
 * 2^53-1, lone surrogates, and more than `deepest` levels.
 */
export function readStrictJson(text, deepest = maxDepth) {
  let at = 0;
  if (text.length > maxText) throw new Problem('unreadable');

  const take = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const broken = () => new Problem('not_json');
  const expect = (character) => {
    take(space);
    if (text[at] !== character) throw broken();
    at += 1;
  };
  /** Whether the list or object ends here; else consumes the comma before the next item. */
  const ends = (bracket, isFirst) => {
    take(space);
    if (text[at] === bracket) {
      at += 1;
      return true;
    }
    if (!isFirst) expect(',');
    return false;
  };

  function readText() {
    take(space);
    const found = take(string);
    if (found === undefined) throw broken();
    let value;
    try {
      value = JSON.parse(found);
    } catch {
      throw broken();
    }
    if (!value.isWellFormed()) throw new Problem('unreadable');
    return value;
  }

  function readNumber() {
    const found = take(number);
    if (found === undefined) throw broken();
    const value = Number(found);
    if (/[.eE]/.test(found)) throw new Problem('unreadable');
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
      throw new Problem('unreadable');
    }
    return value;
  }

  function readMembers(depth) {
    const object = {};
    for (let isFirst = true; !ends('}', isFirst); isFirst = false) {
      const name = readText();
      if (Object.hasOwn(object, name)) throw new Problem('twice');
      expect(':');
      const value = readValue(depth);
      // Assigning to __proto__ would not create a member.
      Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
    }
    return object;
  }

  function readItems(depth) {
    const items = [];
    for (let isFirst = true; !ends(']', isFirst); isFirst = false) items.push(readValue(depth));
    return items;
  }

  function readValue(depth) {
    take(space);
    const first = text[at];
    if (first === '"') return readText();
    if (first === '{' || first === '[') {
      if (depth >= deepest) throw new Problem('unreadable');
      at += 1;
      return first === '{' ? readMembers(depth + 1) : readItems(depth + 1);
    }
    const word = words.find(([name]) => text.startsWith(name, at));
    if (word === undefined) return readNumber();
    at += word[0].length;
    return word[1];
  }

  const value = readValue(0);
  take(space);
  if (at < text.length) throw broken();
  return value;
}
