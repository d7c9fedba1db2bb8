/** Packages whose rules are mutated. */
export type Part = 'signing' | 'requests' | 'states' | 'log';

/** A rule of our verifier, removed or inverted: a file of the part, and a replacement of one text in it. */
export interface Mutant {
  /** Default: `signing`. */
  part?: Part;
  rule: string;
  file: string;
  edits: [from: string, to: string][];
}

const mutant = (file: string, rule: string, from: string, to: string): Mutant => ({
  rule,
  file: `${file}.ts`,
  edits: [[from, to]],
});

const keys = (rule: string, from: string, to: string) => mutant('key-validity', rule, from, to);
const times = (rule: string, from: string, to: string) => mutant('instant', rule, from, to);
const entry = (rule: string, from: string, to: string) => mutant('read-signature', rule, from, to);
const verify = (rule: string, from: string, to: string) => mutant('verify-record', rule, from, to);
const text = (rule: string, from: string, to: string) => mutant('strict-json', rule, from, to);
const document = (rule: string, from: string, to: string) => mutant('home-document', rule, from, to);
const named = (rule: string, from: string, to: string) => mutant('usable-key', rule, from, to);
const sequence = (rule: string, from: string, to: string) => mutant('kept-document', rule, from, to);

const usesCheck = 'return Array.isArray(uses) && usesFor[typ].some((use) => uses.includes(use));';
const revokedCheck = "if (status === 'revoked' || isGiven(revoked_at))";
const statusCheck = "if (status !== 'active' && status !== 'retired')";
const fixed = "['kty', 'crv', 'x', 'uses', 'not_before']";

export const mutants: readonly Mutant[] = [
  keys('uses is not looked at', usesCheck, 'return true;'),
  keys('uses may be a text', 'Array.isArray(uses) && ', 'uses !== undefined && '),
  keys(
    'a key without uses is for everything',
    'Array.isArray(uses) && usesFor',
    'uses === undefined || usesFor',
  ),
  keys(
    'the recovery key signs records',
    "'svc-record+jws': ['record']",
    "'svc-record+jws': ['record', 'recovery']",
  ),
  keys(
    'the recovery key signs no documents',
    "'svc-home+jws': ['record', 'recovery']",
    "'svc-home+jws': ['record']",
  ),
  keys('revoked_at alone revokes nothing', revokedCheck, "if (status === 'revoked')"),
  {
    rule: 'a revoked key counts before its revocation',
    file: 'key-validity.ts',
    edits: [
      [revokedCheck, "if (status === 'revoked' && at >= (instantOf(revoked_at) ?? 0n))"],
      [statusCheck, "if (status !== 'active' && status !== 'retired' && status !== 'revoked')"],
    ],
  },
  keys('a next key counts by its times', statusCheck, 'if (status === undefined)'),
  keys('a key of no known status counts', statusCheck, "if (status === 'next')"),
  keys(
    'a key without not_before counts',
    'if (start === null)',
    'if (start === null && isGiven(not_before))',
  ),
  keys('a not_before that is no time counts', 'if (start === null)', 'if (!isGiven(not_before))'),
  keys('a not_after that is no time counts', 'if (isGiven(not_after) && end === null)', 'if (false)'),
  keys('not_before is exclusive', 'if (at < start)', 'if (at <= (start as bigint))'),
  keys('not_before is not looked at', 'if (at < start)', 'if (false)'),
  keys('not_after is inclusive', 'at >= end', 'at > end'),
  keys('not_after is not looked at', 'if (end !== null && at >= end)', 'if (false)'),
  keys('a retired key needs no end', "if (status === 'retired' && end === null)", 'if (false)'),

  times('milliseconds alone are compared', "fraction.padEnd(9, '0')", "fraction.slice(0, 3).padEnd(9, '0')"),
  times('ten digits of a fraction', '{1,9}', '{1,10}'),
  times('no fraction', '(?:\\.(\\d{1,9}))?Z$/', '()Z$/'),
  times('a small z', 'Z$/;', 'Z$/i;'),
  times(
    '30 February, and hour 24',
    'date.getUTCDate() !== Number(day) || date.getUTCHours() !== Number(hour)',
    'Number.isNaN(date.getTime())',
  ),

  entry('alg Ed25519 is refused', "new Set(['EdDSA', 'Ed25519'])", "new Set(['EdDSA'])"),
  entry('alg EdDSA is refused', "new Set(['EdDSA', 'Ed25519'])", "new Set(['Ed25519'])"),
  entry('alg is not looked at', 'if (!algorithms.has(header.alg))', 'if (false)'),
  entry('typ is not looked at', 'if (header.typ !== expectedType)', 'if (false)'),
  entry('other members of the header are taken', 'if (!headerMembers.has(member))', 'if (false)'),
  entry('a kid of any form', 'if (!isKid(header.kid))', "if (typeof header.kid !== 'string')"),
  entry('a header of any length', 'maxHeaderText = 1_024', 'maxHeaderText = 100_000'),
  entry('a header of 1,000 letters at most', 'maxHeaderText = 1_024', 'maxHeaderText = 1_000'),
  entry('further members of the entry are taken', 'if (other !== undefined)', 'if (false)'),
  entry(
    'a header with a member twice',
    'parseStrictJson(bytes, { maxDepth: 4 })',
    'JSON.parse(String(bytes))',
  ),
  mutant(
    'base64url',
    'stray bits',
    "return bytes.toString('base64url') === text ? bytes : null;",
    'return bytes;',
  ),
  {
    rule: 'padding',
    file: 'base64url.ts',
    edits: [
      ['if (!alphabet.test(text)) return null;', ''],
      ["return bytes.toString('base64url') === text ? bytes : null;", 'return bytes;'],
    ],
  },
  mutant('keys', 'a kid of 129 letters', '{1,128}', '{1,129}'),
  mutant('keys', 'a kid of 127 letters at most', '{1,128}', '{1,127}'),
  mutant('keys', 'a kid that is a number', "typeof value === 'string' && /^[A-Za-z", '/^[A-Za-z'),
  mutant('keys', 'a key with its secret', 'if (d !== undefined)', 'if (false)'),
  mutant('keys', 'a key of another kind', "if (found.kty !== 'OKP')", 'if (false)'),
  mutant('keys', 'a key of another curve', "if (found.crv !== 'Ed25519')", 'if (false)'),
  mutant('point-check', 'a key of small order', 'if (point.isSmallOrder())', 'if (false)'),
  mutant('point-check', 'a key of mixed order', 'if (!point.isTorsionFree())', 'if (false)'),
  {
    rule: 'the equation with the factor 8, and R in any spelling',
    file: 'ed25519.ts',
    edits: [
      [
        'import { createPrivateKey',
        "import * as noble from '@noble/ed25519';\nimport { createHash, createPrivateKey",
      ],
      [
        'return signature.length === signatureLength && verify(null, message, publicKey, signature);',
        `noble.hashes.sha512 = (bytes) => new Uint8Array(createHash('sha512').update(bytes).digest());
  const [s, m, k] = [signature, message, publicBytesOf(publicKey)].map((bytes) => new Uint8Array(bytes));
  try { return noble.verify(s!, m!, k!, { zip215: true }); } catch { return false; }`,
      ],
    ],
  },

  mutant(
    'payload',
    'co_signatures are signed',
    'const { signature, co_signatures, ...rest } =',
    'const { signature, ...rest } =',
  ),
  mutant(
    'payload',
    '`signature` of a document is not signed',
    'const { signatures, ...rest } = object as {',
    'const { signatures, signature, ...rest } = object as { signature?: unknown;',
  ),
  mutant(
    'payload',
    '`signatures` of a record are not signed',
    'const { signature, co_signatures, ...rest } = object as {',
    'const { signature, co_signatures, signatures, ...rest } = object as { signatures?: unknown;',
  ),
  mutant('canonicalize', 'members as they come', 'Object.keys(value).sort()', 'Object.keys(value)'),

  verify('the home is not looked at', 'if (object[origin] !== home)', 'if (false)'),
  {
    rule: 'an object of no home is of any home',
    file: 'verify-record.ts',
    edits: [
      ["if (typeof object[origin] !== 'string')", 'if (false)'],
      ['if (object[origin] !== home)', 'if (object[origin] !== undefined && object[origin] !== home)'],
    ],
  },
  verify(
    'envelopes are read as records',
    "? ['origin', 'expires_at'] : ['home', 'valid_until']",
    "? ['home', 'valid_until'] : ['home', 'valid_until']",
  ),
  verify('expires_at is not looked at', "['origin', 'expires_at']", "['origin', 'valid_until']"),
  verify(
    'no issued_at is now',
    'instantOf(object.issued_at)',
    'object.issued_at === undefined ? present : instantOf(object.issued_at)',
  ),
  verify('valid_until is inclusive', 'until <= present', 'until < present'),
  verify('valid_until is not looked at', 'if (until !== null && until <= present)', 'if (false)'),
  verify(
    'a valid_until that is no time counts',
    '(isDocument || object[end] !== undefined) && until === null',
    'isDocument && until === null',
  ),
  verify('valid_until null is none', 'object[end] !== undefined', 'object[end] != null'),
  verify(
    'a document needs no valid_until',
    '(isDocument || object[end] !== undefined)',
    '(object[end] !== undefined)',
  ),
  verify(
    'a document is good when it was issued',
    'isDocument && present > issued ? present : issued',
    'issued',
  ),
  verify(
    'a document is good now alone',
    'isDocument && present > issued ? present : issued',
    'isDocument ? present : issued',
  ),
  verify(
    'a record needs a key that is good now',
    'isDocument && present > issued ? present : issued',
    'present',
  ),
  verify('the first of two keys of one name', 'if (second !== undefined)', 'if (false)'),
  verify(
    'a retired key signs documents',
    "if (expectedType === 'svc-home+jws' && listed.status !== 'active')",
    'if (false)',
  ),
  verify('any number of signatures', 'if (entries.length > maxSignatures)', 'if (false)'),
  verify(
    'any number of co-signatures',
    'object.co_signatures.slice(0, maxSignatures)',
    'object.co_signatures.slice()',
  ),
  verify('a co-signature that does not fit', 'valid && kid !== null ?', 'kid !== null ?'),
  verify('the signature is not verified', 'if (!verifyBytes(', 'if (false && !verifyBytes('),
  verify(
    'the first signature alone counts',
    'const results = checkEntries(object, entries, options);',
    'const results = checkEntries(object, entries.slice(0, 1), options);',
  ),

  text('a member twice', 'if (Object.hasOwn(object, name))', 'if (false)'),
  text('a lone surrogate', 'if (!value.isWellFormed())', 'if (false)'),
  text('a fraction', '} else if (!this.#floats) {', '} else if (false) {'),
  text('-0', 'if (!this.#floats && Object.is(value, -0))', 'if (false)'),
  text('integers of any size', 'if (!Number.isSafeInteger(value))', 'if (false)'),
  text('any depth', 'if (this.#path.length >= this.#maxDepth)', 'if (false)'),
  text(
    '31 levels',
    'if (this.#path.length >= this.#maxDepth)',
    'if (this.#path.length >= this.#maxDepth - 1)',
  ),
  text('more behind it', 'if (this.#at < this.#text.length)', 'if (false)'),
  text('bytes that are not UTF-8', 'fatal: true', 'fatal: false'),
  text('a byte order mark', 'ignoreBOM: true', 'ignoreBOM: false'),

  document('a kid twice', 'if (kids.has(key.kid))', 'if (false)'),
  document('a key without a kid', '|| !isKid(key.kid)', ''),
  document('a bad key that signs nothing', 'requireKeyForm(key);', ''),
  document('any number of keys', 'if (keys.length > mostDocumentKeys)', 'if (false)'),
  document('149 keys at most', 'mostDocumentKeys = 150', 'mostDocumentKeys = 149'),
  document(
    'uses in a text',
    '!Array.isArray(uses) || ',
    "typeof uses === 'string' ? false : !Array.isArray(uses) || ",
  ),
  document('any status', 'if (!keyStatuses.includes(status as KeyStatus))', 'if (false)'),
  document('any times of a key', 'if (times.some((time) => instantOf(time) === null))', 'if (false)'),
  document('any doc_seq', 'if (!Number.isSafeInteger(doc_seq) || (doc_seq as number) < 0)', 'if (false)'),
  document('doc_seq from 1', '(doc_seq as number) < 0', '(doc_seq as number) < 1'),
  document('issued at any time ahead', 'if (exactly > nanosOf(by.now + mostAheadMs))', 'if (false)'),
  document('issued less than 5 minutes ahead', 'exactly > nanosOf(by.now', 'exactly >= nanosOf(by.now'),
  document('valid for ever', 'if ((until as bigint) > exactly + nanosOf(longestMs))', 'if (false)'),
  document('valid for less than 7 days', '(until as bigint) > exactly', '(until as bigint) >= exactly'),

  sequence('a lapsed document is taken', "if (read.lapsed) return refuse('its time has passed');", ''),
  sequence('an older document is taken', '(instantOf(document.issued_at) as bigint) < (', '0n > ('),
  sequence(
    'one of the same moment is refused',
    '(instantOf(document.issued_at) as bigint) < (',
    '(instantOf(document.issued_at) as bigint) <= (',
  ),
  sequence('a lower doc_seq', 'if (document.doc_seq < before.doc_seq)', 'if (false)'),
  sequence(
    'the same doc_seq with other bytes',
    'if (document.doc_seq === before.doc_seq && bytesOf(document) !== bytesOf(before))',
    'if (false)',
  ),
  sequence(
    'signatures are bytes of a document',
    "return encodePayload(document, 'signatures');",
    "return encodePayload(document, 'signature');",
  ),
  sequence(
    'a key may disappear',
    'if (now === undefined) return',
    'if (now === undefined) continue; else if (false) return',
  ),
  sequence('uses may change', fixed, fixed.replace("'uses', ", '')),
  sequence('x may change', fixed, fixed.replace("'x', ", '')),
  sequence('not_before may change', fixed, fixed.replace(", 'not_before'", '')),
  sequence('not_after may go away', 'later === null || ', 'later !== null && '),
  sequence('not_after may move later', 'later > end', 'false'),
  sequence('not_after may not move', 'later > end', 'later !== end'),
  sequence('a status may go back', 'if (rankOf(after) < rankOf(before))', 'if (false)'),
  sequence(
    'a retired key is known',
    "if (key.status === 'active') return true;",
    "if (key.status === 'active' || key.status === 'retired') return true;",
  ),
  sequence(
    'every key that is listed is known',
    'kids.some((kid) => known.includes(kid) && ',
    'kids.some((kid) => ',
  ),
  sequence('a next key is known at once', 'nextKnownAfterMs = 24 * hour', 'nextKnownAfterMs = 0'),
  sequence('a next key is never known', "return key.status === 'next' && ", 'return false && '),
  sequence(
    'a next key is known after 24 hours, not at them',
    '?? now) >= nextKnownAfterMs',
    '?? now) > nextKnownAfterMs',
  ),
  sequence('a next key begins anew with each document', 'before?.nextSince[kid] ?? now', 'now'),
  sequence(
    'a revocation waits',
    'wrong === null ? revokedByThemselves(held, document, known, options) : []',
    '[] as string[]',
  ),
  sequence(
    'a revocation in a bad document',
    'wrong === null ? revokedByThemselves(held, document, known, options) : []',
    'revokedByThemselves(held, document, known, options)',
  ),
  sequence(
    'a key may be revoked by another one that is not known',
    'known.includes(kid) && revoked.includes(kid)',
    'known.includes(kid)',
  ),
  sequence(
    'what was revoked counts on',
    "revoked.includes(key.kid) ? { ...key, status: 'revoked' } : key",
    'key',
  ),
  sequence(
    'what was revoked is forgotten with the next document',
    'revoked: before?.revoked ?? []',
    'revoked: []',
  ),
  sequence('another home is taken at once', 'anewAfterMs = 7 * 24 * hour', 'anewAfterMs = 0'),
  sequence('another home is never taken', 'options.now - waiting.since >= anewAfterMs', 'false'),
  sequence(
    'another home is taken after 7 days, not at them',
    'waiting.since >= anewAfterMs',
    'waiting.since > anewAfterMs',
  ),
  sequence('a person’s word counts for nothing', 'options.word === true || ', ''),
  sequence(
    'a third home inherits the wait',
    'since: options.now, cause };',
    'since: waiting?.since ?? options.now, cause };',
  ),
  sequence(
    'the wait begins anew each time',
    "if ((verdict === 'accepted' || verdict === 'unchanged') && kept !== null)",
    'if (false)',
  ),
  sequence(
    'the wait goes on when the home came back',
    'revoked: before?.revoked ?? [], waiting: null',
    'revoked: before?.revoked ?? [], waiting: before?.waiting ?? null',
  ),
  sequence('the wait goes on when the same document came again', 'kept: { ...kept, waiting: null }', 'kept'),

  named('a key is for requests and items alike', '!listed.uses?.includes(use)', 'false'),
  named('a retired key signs requests', "status === 'active' && keyProblemAt", 'keyProblemAt'),
  named('the times of a key for requests', ' && keyProblemAt(listed, nanosOf(now)) === null', ''),
  named(
    'a retired key has signed no items',
    "(status === 'active' || status === 'retired')",
    "(status === 'active')",
  ),
  named(
    'a next or revoked key signs items',
    "(status === 'active' || status === 'retired') && (revokedAt ?? null) === null",
    'revokedAt !== 0',
  ),
  named('a lapsed document has keys', ' > nanosOf(now);', ' > 0n;'),
  named('a document that lapses now counts', ' > nanosOf(now);', ' >= nanosOf(now);'),
  named(
    'a change of keys is told as an unknown key',
    "return theirs || !held ? 'key_change'",
    "return false ? 'key_change'",
  ),
  named('every unknown key is a change of keys', 'return theirs || !held ?', 'return true ?'),
  named('keys of the home before are unknown while another one waits', 'theirs || !held ?', 'theirs ?'),
  named(
    'a document that waits after a revocation is a change of keys',
    "if (waiting?.cause !== 'another_home')",
    'if (waiting == null)',
  ),
  sequence(
    'the cause of a wait changes',
    'return { ...waiting, kept };',
    'return { ...waiting, kept, cause };',
  ),
];
