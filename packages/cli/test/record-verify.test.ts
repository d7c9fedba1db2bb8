import { readFileSync } from 'node:fs';
import { manualClock } from '@hearth/clock';
import {
  type DetachedSignature,
  digest,
  exportPublicJwk,
  type JsonObject,
  type KeyPair,
  keyPairFromSeed,
  parseStrictJson,
  signRecord,
} from '@hearth/signing';
import { describe, expect, test } from '@jest/globals';
import { UsageError } from '../src/failure.ts';
import { type Deps, run } from '../src/index.ts';

interface Vector {
  name: string;
  expected_type: string;
  object?: JsonObject;
  text?: string;
  keys?: JsonObject[];
  valid: boolean;
  reason?: string;
  co_kids?: string[];
}

interface VectorFile {
  seeds: { name: string; seed_hex: string }[];
  cases: Vector[];
}

const fileOf = (name: string): VectorFile =>
  JSON.parse(readFileSync(new URL(`../../../interop/vectors/records/${name}.json`, import.meta.url), 'utf8'));
const vectors = (name: string) => fileOf(name).cases;

const { cases: documents, seeds } = fileOf('home-documents');
const pinned = JSON.stringify(documents[0]!.object);
const recovery = keyPairFromSeed(
  Buffer.from(seeds.find(({ name }) => name.endsWith('recovery'))!.seed_hex, 'hex'),
);

/** The vectors' document, with a case's own keys if it has any, signed by the recovery key. */
function documentFor({ keys }: Vector): string {
  if (keys === undefined) return pinned;
  const { signatures, keys: usual, ...rest } = documents[0]!.object as JsonObject & { keys: JsonObject[] };
  const signers = usual.filter(({ kid }) => kid === recovery.kid);
  return JSON.stringify(
    signRecord({ ...rest, keys: [...keys, ...signers] }, { key: recovery, typ: 'svc-home+jws' }),
  );
}

const answer = vectors('records')[0]!.object as JsonObject & { ask: JsonObject; answers: JsonObject[] };

/** Within the validity of the vectors' document. */
const clock = manualClock('2026-01-15T12:00:00Z');

async function hearth(line: string[], files: Record<string, string>, more: Partial<Deps> = {}) {
  const [printed, complained]: [string[], string[]] = [[], []];
  const code = await run(['record', 'verify', ...line], {
    env: {},
    folders: [],
    readFile: () => {
      throw new Error('nothing here needs a key');
    },
    readInput: async (path, most) => {
      const text = files[path];
      if (text === undefined) throw new UsageError(`${path} cannot be read: there is no such file`);
      return Buffer.from(text).subarray(0, most + 1);
    },
    fetch: () => {
      throw new Error('nothing is to be fetched');
    },
    clock,
    print: (text) => printed.push(text),
    complain: (text) => complained.push(text),
    ...more,
  });
  return { code, printed: printed.join('\n'), complained: complained.join('\n') };
}

/** Verifies a record with the vectors' document, read from a file. */
const verify = (record: unknown, line: string[] = [], files: Record<string, string> = {}) => {
  const text = typeof record === 'string' ? record : JSON.stringify(record);
  return hearth(['r.json', '--home', 'home.json', ...line], {
    'r.json': text,
    'home.json': pinned,
    ...files,
  });
};

// A home of the test's own, which can sign arbitrary records.
const key = keyPairFromSeed(Buffer.alloc(32, 7));
const otherKey = keyPairFromSeed(Buffer.alloc(32, 8));

function listed(pair: KeyPair): JsonObject {
  return {
    ...exportPublicJwk(pair),
    uses: ['record'],
    status: 'active',
    not_before: '2026-01-01T00:00:00Z',
  };
}

function documentOf(fields: JsonObject = {}, by: KeyPair = key): string {
  const body = {
    v: 1,
    home: 'own.example',
    doc_seq: 1,
    issued_at: '2026-01-15T10:00:00Z',
    valid_until: '2026-01-16T10:00:00Z',
    keys: [listed(key)],
    ...fields,
  };
  return JSON.stringify(signRecord(body, { key: by, typ: 'svc-home+jws' }));
}

const unsigned = () => {
  const { signature, ...rest } = answer;
  return {
    ...rest,
    home: 'own.example',
    issued_at: '2026-01-15T10:00:00Z',
    ask: { ...answer.ask },
    answers: answer.answers.map((one) => ({ ...one })),
  };
};

function own(change: (record: ReturnType<typeof unsigned>) => object = (record) => record) {
  return signRecord(change(unsigned()) as JsonObject, { key, typ: 'svc-record+jws' });
}

const verifyOwn = (record: unknown, line: string[] = [], files: Record<string, string> = {}) =>
  verify(record, line, { 'home.json': documentOf(), ...files });

describe('the vectors', () => {
  const all = ['records', 'cards', 'envelopes'].flatMap((file) =>
    vectors(file).map((vector) => ({ file, ...vector })),
  );

  test.each(all)('$file: $name: $valid $reason', async ({ file, ...vector }) => {
    const { expected_type: type, object, text, valid, co_kids = [] } = vector;
    const files = { 'home.json': documentFor(vector) };
    const { code, printed, complained } = await verify(text ?? object, ['--type', type], files);
    expect({ code, complained }).toMatchObject({ code: valid ? 0 : 1 });
    if (valid) expect(printed).toMatch(/^Valid: signed by home\.example on/);
    else
      expect([printed, complained]).toEqual([
        '',
        expect.stringMatching(/^Invalid: |is not a home's document/),
      ]);
    if (complained.includes("is not a home's document")) return;
    const json = JSON.parse((await verify(text ?? object, ['--type', type, '--json'], files)).printed);
    expect(json).toMatchObject({ valid, typ: type, co_signatures: co_kids });
    expect(json.problems.length > 0).toBe(!valid);
    if (!valid) return expect(json.record).toBeNull();
    // Only valid co-signatures are shown.
    const { co_signatures, ...signed } = parseStrictJson(text ?? JSON.stringify(object)) as JsonObject;
    const { co_signatures: shown = [], ...record } = json.record;
    expect(record).toEqual(signed);
    expect(shown).toHaveLength(co_kids.length);
  });

  test.each(vectors('json').filter((vector) => vector.text !== undefined && !vector.valid))(
    'json: $name: $reason',
    async ({ text }) => {
      expect(await verify(text)).toMatchObject({
        code: 1,
        complained: expect.stringContaining('not JSON as it'),
      });
    },
  );

  test.each(documents)(
    'the keys of a home document are accepted or refused: $name',
    async ({ object, valid, reason }) => {
      const document = JSON.stringify(object);
      // An expired document still verifies old records; a document of another home fails with an error of its own.
      const until = Date.parse((object as { valid_until?: string }).valid_until ?? '');
      const taken = valid || (reason === 'expired' && until <= clock.now());
      const { code, complained } = await verify(answer, [], { 'home.json': document });
      expect(code).toBe(taken ? 0 : 1);
      if (!taken)
        expect(complained).toMatch(/home\.json is not a home's document|has the keys of other\.example/);
    },
  );
});

describe('a good answer', () => {
  test('is described in words: who answered what, and with what proof', async () => {
    const { code, printed, complained } = await verify(answer);
    expect([code, complained]).toEqual([0, '']);
    expect(printed.split('\n')).toEqual([
      'Valid: signed by home.example on 2026-01-15T10:00:00.000Z, with a key that was valid at that time.',
      '',
      '  asked    "May we book the hall on Friday?"',
      '  choices  "Friday", "Saturday"',
      '  by       "@ana.ai-helper" on 2026-01-15T09:00:00.000Z',
      '  outcome  approved on 2026-01-15T09:59:59.000Z',
      '  ask      not compared; use --ask to compare it',
      '  record   "rec_019bc0f0a1b27c3d8e4f5a6b7c8d9e01"',
      '',
      '"Béa 👩‍🚀" ("@bea") answered yes on 2026-01-15T09:59:59.000Z: a person, on the home\'s pages, confirmed with a passkey.',
      '  answer  "Friday"',
      '  note    "Fine “with me” €"',
    ]);
  });

  test.each([
    [{ by: 'ai', via: 'mcp', proof: 'key' }, 'an AI, not a person, over MCP, authenticated with a key.'],
    [
      { by: 'person', via: 'app', proof: 'tap' },
      'a person, through an app acting for them, confirmed with a tap.',
    ],
    [
      { by: 'person', via: 'web', proof: 'email' },
      "a person, on the home's pages, confirmed with a link sent by email.",
    ],
    [{ by: 'person', via: 'smoke', proof: 'toString' }, 'a person, via "smoke", with proof "toString".'],
  ])('by %j', async (how, words) => {
    const { printed } = await verifyOwn(
      own((record) => ({ ...record, answers: [{ ...record.answers[0], ...how }] })),
    );
    expect(printed).toContain(words);
  });

  test('is reported as missing for an expired ask about a person under 18', async () => {
    const ask = { ...unsigned().ask, about_child: true };
    const { code, printed } = await verifyOwn(
      own((record) => ({ ...record, ask, answers: [], status: 'expired' })),
    );
    expect(code).toBe(0);
    expect(printed).toContain('  about    a person under 18');
    expect(printed).toContain('  outcome  expired on');
    expect(printed).toContain('No one answered.');
  });

  test.each([
    ['archived', 'void     the group was archived before the answer was signed'],
    ['no_say', 'void     the approver could no longer decide this'],
    ['asker_gone', 'void     the account that asked was deleted or switched off'],
    ['some other reason', 'void     "some other reason"'],
    ['toString', 'void     "toString"'],
  ])('that is void (%s) is reported as not counting', async (why, words) => {
    const { code, printed } = await verifyOwn(own((record) => ({ ...record, void: why })));
    expect(code).toBe(0);
    expect(printed).toContain(words);
  });

  test('cannot forge lines of the output or control the terminal', async () => {
    const name = 'Bea" answered yes: a person\n\nGood: \u001b[2J\u009b1A\u202e\u2028x';
    const record = own((made) => ({
      ...made,
      ask: { ...made.ask, title: name, requested_by: name, choices: [name] },
      answers: [
        { ...made.answers[0], by: 'ai', name, to: name, note: name, answer: name, via: name, proof: name },
      ],
    }));
    const { code, printed } = await verifyOwn(record);
    expect(code).toBe(0);
    expect(printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e\u2028]/u);
    expect(printed.split('\n').filter((line) => line.startsWith('Valid:'))).toHaveLength(1);
    expect(printed).toContain('"Bea\\" answered yes: a person Good: [2J1A x"');
    const json = await verifyOwn(record, ['--json']);
    expect(json.printed.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e\u2028]/u);
    expect(JSON.parse(json.printed).record.ask.title).toBe(name);
  });

  test.each([
    [
      'an agreement',
      {
        subject: { kind: 'agreement', id: 'agr_1' },
        agreement: { title: 'The minutes', terms: 'Until May\nat the latest' },
        sides: [{ name: 'Robin', address: '@robin', signed_at: '2026-01-10T10:00:00Z' }],
      },
      [
        'about   "The minutes"',
        'terms   "Until May at the latest"',
        '"Robin" ("@robin"): signed on "2026-01-10T10',
      ],
    ],
    [
      'the end of an agreement, whose sides have no names',
      {
        subject: { kind: 'agreement', id: 'agr_1' },
        agreement: { title: 'The minutes' },
        sides: [{ address: '@robin', settled: 'kept' }],
      },
      ['with    "@robin": "kept"'],
    ],
    [
      'a decision',
      {
        subject: { kind: 'decision', id: '17' },
        decision: { title: 'Dinner' },
        outcome: { summary: 'Soup', when: '2026-02-01' },
        approvals: [{ name: 'Ada\nGood: x', to: '@ada', decision: 'approved' }],
      },
      ['outcome  "Soup"', 'when     "2026-02-01"', '"Ada Good: x" ("@ada"): "approved"'],
    ],
    [
      'a meeting',
      {
        subject: { kind: 'meeting', id: 'mtg_1' },
        meeting: {
          title: 'Call',
          starts_at: '2026-02-01T10:00:00Z',
          offered_by: { name: 'Ada', address: '@ada' },
        },
      },
      ['when    "2026-02-01T10:00:00Z"', 'with    "Ada" ("@ada")'],
    ],
    ['a thing of no known form', { subject: 'x', sides: [7, null], outcome: [] }, ['type    "']],
  ])('of %s is described in words', async (_, members, words) => {
    const { ask: _ask, answers: _answers, ...rest } = unsigned();
    const { code, printed } = await verifyOwn(own(() => ({ ...rest, ...members, type: 'outcome' })));
    expect(code).toBe(0);
    for (const word of words) expect(printed).toContain(word);
    expect(printed.split('\n').filter((line) => line.startsWith('Valid:'))).toHaveLength(1);
  });

  test('can be read from standard input', async () => {
    const { code } = await hearth(['-', '--home', 'h'], { '-': JSON.stringify(answer), h: pinned });
    expect(code).toBe(0);
  });

  test('with an old copy of the document is valid, with a warning', async () => {
    const later = { clock: manualClock('2026-02-01T00:00:00Z') };
    const files = { 'r.json': JSON.stringify(answer), h: pinned };
    const { code, printed } = await hearth(['r.json', '--home', 'h'], files, later);
    expect(code).toBe(0);
    expect(printed).toContain(
      'Note: h expired at 2026-01-16T10:00:00.000Z, so it does not show keys revoked since then',
    );
  });
});

describe('an invalid record and the reason', () => {
  const valid = own();
  test.each<[string, unknown, string]>([
    ['no JSON', 'hello', 'found "h" where a JSON value belongs'],
    ['a member twice', JSON.stringify(valid).replace('{', '{"v":1,'), 'stands twice'],
    ['a float', JSON.stringify(valid).replace('"v":1', '"v":1.0'), 'fraction or an exponent'],
    ['a list', [valid], 'not a JSON object'],
    ['an approval', { id: 'apr_1', signed_answer: valid }, 'use its signed_answer'],
    ['no home', own(({ home, ...rest }) => rest), 'home is missing'],
    [
      'another home',
      own((made) => ({ ...made, home: 'x.example' })),
      'this record is from the home "x.example", but home.json has the keys of own.example',
    ],
    ['no issued_at', own(({ issued_at, ...rest }) => rest), 'issued_at must be'],
    [
      'a key of somebody else',
      signRecord(unsigned(), { key: otherKey, typ: 'svc-record+jws' }),
      "is not one of the signer's",
    ],
    [
      'a key before its time',
      own((made) => ({ ...made, issued_at: '2025-12-31T23:59:59Z' })),
      'not valid yet',
    ],
    ['another byte', { ...valid, status: 'declined' }, 'does not fit the object'],
    ['a card', signRecord(unsigned(), { key, typ: 'svc-card+jws' }), 'must say typ svc-record+jws'],
    [
      'what is past',
      own((made) => ({ ...made, valid_until: '2026-01-15T11:59:59Z' })),
      'counted until 2026-01-15T11:59:59Z',
    ],
    [
      'neither person nor AI',
      own((made) => ({ ...made, answers: [{ ...made.answers[0], by: 'robot' }] })),
      'answers[0].by must be person or ai',
    ],
    ['answers that are none', own((made) => ({ ...made, answers: {} })), 'answers must be a list'],
    ['a text that is too long', `"${'x'.repeat(300_000)}"`, 'longer than the 262144 bytes'],
  ])('%s', async (_, record, words) => {
    const { code, printed, complained } = await verifyOwn(record);
    expect([code, printed]).toEqual([1, '']);
    expect(complained).toContain(words);
    const json = JSON.parse((await verifyOwn(record, ['--json'])).printed);
    expect(json).toMatchObject({ valid: false, record: null });
    expect(json.problems.join()).toContain(words);
  });

  test('a revoked key, or a key for another purpose', async () => {
    for (const [fields, words] of [
      [{ status: 'revoked', revoked_at: '2026-01-01T00:00:00Z' }, 'was revoked'],
      [{ uses: ['request'] }, "is not one of the signer's"],
    ] as const) {
      const keys = [{ ...listed(key), ...fields }, listed(otherKey)] as JsonObject[];
      const { code, complained } = await verifyOwn(valid, [], {
        'home.json': documentOf({ keys }, otherKey),
      });
      expect([code, complained]).toEqual([1, expect.stringContaining(words)]);
    }
  });

  test('a key supplied by the record itself', async () => {
    const forged = signRecord(unsigned(), { key: otherKey, typ: 'svc-record+jws' });
    const header = { alg: 'EdDSA', kid: otherKey.kid, typ: 'svc-record+jws', jwk: exportPublicJwk(otherKey) };
    const text = Buffer.from(JSON.stringify(header)).toString('base64url');
    const { complained } = await verifyOwn({
      ...forged,
      signature: { ...forged.signature, protected: text },
    });
    expect(complained).toContain('holds "jwk", which is refused');
  });

  test('a document with a key twice, without keys, or signed by another party', async () => {
    for (const [document, words] of [
      [documentOf({ keys: [listed(key), listed(key)] }), 'twice'],
      [documentOf({ keys: {} }), 'lists no keys'],
      [documentOf({}, otherKey), "is not one of the signer's"],
      [documentOf({ home: 7 }), 'does not name its home'],
      [`${documentOf()}${' '.repeat(65_536)}`, 'longer than the 65536 bytes'],
    ] as const) {
      const { code, complained } = await verifyOwn(valid, [], { 'home.json': document });
      expect([code, complained]).toEqual([
        1,
        expect.stringMatching(/^home\.json is not a home's document: /),
      ]);
      expect(complained).toContain(words);
    }
  });
});

describe('co-signatures', () => {
  const signed = own();
  const coSigned = (by: KeyPair, over: object = unsigned()): DetachedSignature =>
    signRecord(over as JsonObject, { key: by, typ: 'svc-record+jws' }).signature;
  test('are reported when valid; all others are ignored and not shown', async () => {
    const good = coSigned(key);
    const others = [coSigned(key, { x: 1 }), { ...good, header: {} }, coSigned(otherKey), 7];
    const { code, printed } = await verifyOwn({ ...signed, co_signatures: [...others, good] }, ['--json']);
    expect(code).toBe(0);
    expect(JSON.parse(printed)).toMatchObject({
      co_signatures: [key.kid],
      problems: [],
      notes: [],
      record: { co_signatures: [good] },
    });
  });

  test('never replace the signature', async () => {
    const { signature, ...without } = signed;
    const { code } = await verifyOwn({ ...without, co_signatures: [coSigned(key)] });
    expect(code).toBe(1);
  });
});

const far = documentOf({ home: 'far.example', keys: [listed(otherKey)] }, otherKey);

/** A signed act of Wren, an AI of another home. */
function farAct(over: JsonObject, body: JsonObject, by = otherKey): JsonObject {
  return signRecord(
    {
      ...{ v: 1, type: 'act', id: 'r:far.example:act_1', rev: 1, seq: 1 },
      ...{ origin: 'far.example', destination: 'own.example', from: 'wren.ai-x@far.example' },
      ...{ issued_at: '2026-01-15T10:00:00.000Z', expires_at: '2026-01-29T10:00:00.000Z' },
      body: { by: 'ai', proof: 'key', via: 'api', ...body },
      ...over,
    },
    { key: by, typ: 'svc-envelope+jws' },
  ) as unknown as JsonObject;
}

describe('an agreement with an AI of another home', () => {
  const agreement = { id: 'agr_1', title: 'Minutes', terms_digest: 'sha-256:x' };
  const act = (over: JsonObject = {}, body: JsonObject = {}, by = otherKey) =>
    farAct(
      over,
      {
        ...{ on: 'r:own.example:agr_1', operation: 'sign_agreement' },
        request: { terms_digest: 'sha-256:x' },
        ...body,
      },
      by,
    );
  const record = (item: JsonObject | undefined, ofSide: JsonObject = {}) =>
    signRecord(
      {
        ...{ v: 1, type: 'agreement', id: 'rec_1', home: 'own.example', agreement, status: 'ready' },
        ...{ subject: { kind: 'agreement', id: 'agr_1' }, issued_at: '2026-01-15T10:00:00.000Z' },
        sides: [
          { address: '@robin.ai-x' },
          {
            ...{ address: 'wren.ai-x@far.example', home: 'far.example', ...ofSide },
            ...(item !== undefined && { item }),
          },
        ],
      },
      { key, typ: 'svc-record+jws' },
    );
  const line = ['--home', 'far.json', '--json'];
  const check = (item: JsonObject | undefined, ofSide?: JsonObject) =>
    verifyOwn(record(item, ofSide), line, { 'far.json': far });

  test('verifies with the keys of both homes', async () => {
    const { code, printed } = await check(act());
    expect(JSON.parse(printed)).toMatchObject({ valid: true, problems: [] });
    expect(code).toBe(0);
  });

  test.each<[string, JsonObject | undefined]>([
    ['no act', undefined],
    ['an act that another key signed', act({}, {}, key)],
    ['an act about another agreement', act({}, { on: 'r:own.example:agr_2' })],
    ['an act of another AI', act({ from: 'ann.ai-x@far.example' })],
    ['a signature of other terms', act({}, { request: { terms_digest: 'sha-256:y' } })],
    ['another act', act({}, { operation: 'decline_agreement' })],
  ])('does not verify with %s', async (_, item) => {
    expect((await check(item)).code).toBe(1);
  });

  test('approved by the owner includes the act that proves it', async () => {
    const approved = { owner_approved_at: '2026-01-15T09:59:00.000Z' };
    expect((await check(act(), approved)).code).toBe(1);
    const said = { owner_approved: { by: 'person', proof: 'tap', via: 'web' } };
    expect((await check(act({}, said), approved)).code).toBe(0);
  });
});

describe('a meeting booked by a person of another home', () => {
  const starts = '2026-02-01T10:00:00.000Z';
  const book = (over: JsonObject = {}, body: JsonObject = {}, by = otherKey) =>
    farAct(
      over,
      { on: 'r:own.example:ofr_1', operation: 'book_meeting', request: { slot: starts }, ...body },
      by,
    );
  const cancel = (body: JsonObject = {}) =>
    farAct({}, { on: 'r:own.example:mtg_1', operation: 'cancel_meeting', request: {}, ...body });
  const check = (item: JsonObject | undefined, more: JsonObject = {}, over: JsonObject = {}) => {
    const booked_by = { address: 'wren.ai-x@far.example', home: 'far.example', ...(item && { item }) };
    const meeting = { id: 'mtg_1', title: 'Call', offer: 'ofr_1', starts_at: starts, booked_by, ...over };
    const record = signRecord(
      {
        ...{ v: 1, type: 'meeting', id: 'rec_1', home: 'own.example', meeting, status: 'booked' },
        ...{ subject: { kind: 'meeting', id: 'mtg_1' }, issued_at: '2026-01-15T10:00:00.000Z', ...more },
      },
      { key, typ: 'svc-record+jws' },
    );
    return verifyOwn(record, ['--home', 'far.json', '--json'], { 'far.json': far });
  };

  test('verifies with the keys of both homes, also after it was moved or cancelled', async () => {
    const { code, printed } = await check(book());
    expect(JSON.parse(printed)).toMatchObject({ valid: true, problems: [] });
    expect(code).toBe(0);
    const moved = { moved_from: starts, starts_at: '2026-02-02T10:00:00.000Z' };
    expect((await check(book(), { acts: [cancel()] }, moved)).code).toBe(0);
  });

  test.each<[string, JsonObject | undefined]>([
    ['no act', undefined],
    ['an act that another key signed', book({}, {}, key)],
    ['an act on another offer', book({}, { on: 'r:own.example:ofr_2' })],
    ['an act of another AI', book({ from: 'ann.ai-x@far.example' })],
    ['another time', book({}, { request: { slot: '2026-02-01T11:00:00.000Z' } })],
    ['another act', book({}, { operation: 'hold_slot' })],
  ])('does not verify with %s', async (_, item) => {
    expect((await check(item)).code).toBe(1);
  });

  test('does not verify with the end of another meeting', async () => {
    const acts = [cancel({ on: 'r:own.example:mtg_2' })];
    expect((await check(book(), { acts })).code).toBe(1);
  });
});

describe('the ask', () => {
  const asked = {
    title: 'Which train?',
    details: 'The\nearly one',
    choices: ['9:30', '11:00'],
    to: ['@bob', 'under-18'],
  };
  const shown = {
    ...asked,
    free_text: false,
    to: undefined,
    people: [{ to: '@bob' }, { to: `shp_${'0'.repeat(32)}` }],
  };
  const of = (thing: object) => own((made) => ({ ...made, ask: { ...made.ask, digest: digest(thing) } }));
  const record = of({ ...asked, free_text: false });
  const compare = (ask: unknown) =>
    verifyOwn(record, ['--ask', 'ask.json'], { 'ask.json': JSON.stringify(ask) });

  test.each([
    ['as it was asked', asked],
    ['as the home shows it, whatever digest stands in it', { ...shown, digest: 'sha-256:x', reminders: 0.5 }],
    ['with what is empty', { ...asked, preview: null, people: [] }],
    ['before it was cleaned', { ...asked, title: ' Which  train?', choices: ['9:30 ', '11:00'] }],
    ['with the older name for who is asked', { ...asked, to: undefined, people: asked.to }],
  ])('matches: %s', async (_, ask) => {
    const { code, printed } = await compare(ask);
    expect(code).toBe(0);
    expect(printed).toContain('ask      matches the one you gave');
  });

  test.each([
    ['another title', { ...asked, title: 'Which plane?' }],
    ['other choices', { ...asked, choices: ['11:00', '9:30'] }],
    ['somebody else', { ...asked, to: ['@bob'] }],
    ['a typed answer', { ...asked, free_text: true }],
    [
      'the digest itself',
      { ...asked, title: 'x', digest: (record as unknown as { ask: JsonObject }).ask.digest },
    ],
  ])('differs: %s', async (_, ask) => {
    const { code, complained } = await compare(ask);
    expect([code, complained]).toEqual([1, expect.stringContaining('ask.digest does not match the ask')]);
  });

  test.each([
    ['no JSON', 'x'],
    ['no title', { to: ['@bob'] }],
    ['nobody', { title: 'x' }],
    ['numbers', { title: 'x', to: [1] }],
  ])('that is malformed is a usage error: %s', async (_, ask) => {
    const files = { 'ask.json': typeof ask === 'string' ? ask : JSON.stringify(ask) };
    const { code, complained } = await verifyOwn(record, ['--ask', 'ask.json'], files);
    expect([code, complained]).toEqual([2, expect.stringContaining('ask.json is not an ask: ')]);
  });
});

describe('the command line', () => {
  const files = { 'r.json': JSON.stringify(answer), h: pinned };
  test.each<[string[], string]>([
    [[], '<file> is required'],
    [['r.json', 'more'], "unexpected argument 'more'"],
    [['none.json', '--home', 'h'], 'none.json cannot be read'],
    [['r.json', '--home', 'none'], 'none cannot be read'],
    [['r.json', '--type', 'jwt'], '--type is "jwt"; expected one of svc-card+jws'],
    [['r.json', '--home', 'h', '--type', 'svc-card+jws', '--ask', 'h'], '--ask requires --type'],
    [['-', '--home', '-'], 'standard input (-) can be used only once'],
    [['r.json', '--home', 'http://home.example'], "http://home.example doesn't use https"],
    [['r.json', '--site', 'http://home.example'], "http://home.example doesn't use https"],
    [['r.json', '--home', 'https://u:p@home.example'], '--home is'],
    [['r.json', '--home', 'https://'], '--home is'],
  ])('%j is a usage error', async (line, words) => {
    const { code, printed, complained } = await hearth(line, files);
    expect([code, printed]).toEqual([2, '']);
    expect(complained).toContain(words);
  });
});
