import { readFileSync } from 'node:fs';
import {
  canonicalize,
  exportPublicJwk,
  keyPairFromSeed,
  type ListedKey,
  parseStrictJson,
  signRecord,
  verifyRecord,
} from '@hearth/signing';
import { describe, expect, test } from '@jest/globals';
import * as curve from '@noble/ed25519';
import fc from 'fast-check';
import { canonicalText, checkRecord, readStrictJson } from '../src/assets/verify.js';

interface Vector {
  name: string;
  object?: object;
  text?: string;
  keys?: object[];
  valid: boolean;
  reason?: string;
  canonical?: string;
}

const folder = new URL('../../interop/vectors/records/', import.meta.url);
const read = (name: string) =>
  JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as {
    home: string;
    now: string;
    keys: object[];
    cases: Vector[];
  };
const { home, now, keys, cases } = read('records.json');

describe("the browser's verdicts on the interop vectors", () => {
  test.each(cases)('$name: $valid $reason', async ({ text, object, valid, reason, ...vector }) => {
    const document = { home, keys: vector.keys ?? keys };
    const given = text ?? JSON.stringify(object);
    const { verdict, fault } = await checkRecord(given, document, curve, Date.parse(now));
    const expected = reason === 'key_revoked' ? ['revoked'] : ['invalid', 'elsewhere'];
    expect(valid ? ['valid'] : expected).toContain(verdict);
    expect(fault === '').toBe(valid);
  });

  const objects = cases.filter(({ object }) => object !== undefined);
  test.each(objects)("$name: the home's fault", async ({ object, ...vector }) => {
    const document = { home, keys: vector.keys ?? keys };
    const { fault } = await checkRecord(JSON.stringify(object), document, curve, Date.parse(now));
    const options = { expectedType: 'svc-record+jws', home, now: Date.parse(now) } as const;
    const { faults } = verifyRecord(object, { ...options, keys: document.keys as ListedKey[] });
    expect(faults).toEqual(fault === '' ? [] : [fault]);
  });
});

describe("the browser's JSON parser", () => {
  const texts = read('json.json').cases.filter(({ text }) => text !== undefined);

  test.each(texts)('$name: $valid $reason', ({ text = '', valid, canonical }) => {
    if (!valid) expect(() => readStrictJson(text)).toThrow();
    else expect(canonicalText(readStrictJson(text))).toBe(canonical);
  });

  test("agrees with the home's, for any text", () => {
    const anyText = fc.oneof(
      fc.json(),
      fc.string({ unit: fc.constantFrom(...'{}[]",:\\ua019-+.eE truefalsn\n\t'), maxLength: 30 }),
      fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify({ a: value, b: [value] })),
    );
    const outcome = (read: () => string) => {
      try {
        return read();
      } catch {
        return 'refused';
      }
    };
    fc.assert(
      fc.property(anyText, (text) => {
        expect(outcome(() => canonicalText(readStrictJson(text)))).toBe(
          outcome(() => canonicalize(parseStrictJson(text))),
        );
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("the browser's verdict on a record", () => {
  const key = keyPairFromSeed(Buffer.alloc(32, 7));
  const listed: ListedKey = {
    ...exportPublicJwk(key),
    uses: ['record'],
    status: 'active',
    not_before: '2026-01-01T00:00:00Z',
  };
  const record = { v: 1, id: 'rec_1', home: 'home.example', issued_at: '2026-01-15T10:00:00Z' };
  const signed = signRecord(record, { key, typ: 'svc-record+jws' });
  const check = (object: object, document: object) =>
    checkRecord(JSON.stringify(object), document, curve, Date.parse(now));
  const ours = { home: 'home.example', keys: [listed] };

  test.each([
    ['of another home', signed, { ...ours, home: 'other.example' }, 'elsewhere'],
    ['without a home', { ...signed, home: undefined }, ours, 'invalid'],
    ['of a home that lists no keys', signed, { home: 'home.example' }, 'invalid'],
    ['whose key is listed in another form', signed, { ...ours, keys: [{ ...listed, kty: 'EC' }] }, 'invalid'],
    [
      'whose key has a time nobody can read',
      signed,
      { ...ours, keys: [{ ...listed, not_before: 'x' }] },
      'invalid',
    ],
    ['that is good', signed, ours, 'valid'],
  ])('%s', async (_, object, document, verdict) => {
    expect(await check(object, document)).toMatchObject({ verdict });
  });

  test("agrees with the home's, whatever was changed", async () => {
    const text = JSON.stringify(signed);
    const changed = fc
      .tuple(fc.nat(text.length - 1), fc.constantFrom(...'aA0"{}:,_ '))
      .map(([at, character]) => text.slice(0, at) + character + text.slice(at + 1));
    await fc.assert(
      fc.asyncProperty(changed, async (tried) => {
        const { verdict } = await checkRecord(tried, ours, curve, Date.parse(now));
        let expected = 'invalid';
        try {
          const object = parseStrictJson(tried);
          const options = { expectedType: 'svc-record+jws', ...ours, now: Date.parse(now) } as const;
          if (verifyRecord(object, options).valid) expected = 'valid';
          if ((object as { home?: unknown } | null)?.home !== ours.home) expected = 'not ours';
        } catch {
          // Not valid JSON for records.
        }
        if (expected === 'not ours') expect(['invalid', 'elsewhere']).toContain(verdict);
        else expect({ tried, verdict }).toEqual({ tried, verdict: expected });
      }),
      { numRuns: 300 },
    );
  });
});
