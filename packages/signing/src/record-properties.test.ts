import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeBase64url } from './base64url.ts';
import { canonicalize } from './canonicalize.ts';
import type { JsonObject, JsonValue } from './profile.ts';
import { type DetachedSignature, recordTypes } from './record-types.ts';
import { signRecord } from './sign-record.ts';
import { parseStrictJson } from './strict-json.ts';
import { key, options, record, sent, typ } from './test-records.ts';
import { profileObject, profileValue } from './test-support.ts';
import { verifyRecord } from './verify-record.ts';

/** The members common to all signed objects of home.example. */
const claims: JsonObject = {
  home: 'home.example',
  origin: 'home.example',
  issued_at: '2026-01-02T03:04:05Z',
  valid_until: '2026-01-03T00:00:00Z',
  expires_at: '2026-01-03T00:00:00Z',
};

describe('any object of the profile', () => {
  test('signs and verifies', () => {
    fc.assert(
      fc.property(profileObject, fc.constantFrom(...recordTypes), (object, type) => {
        const signed = sent(signRecord({ ...object, ...claims }, { key, typ: type }));
        expect(verifyRecord(signed, { ...options, expectedType: type }).valid).toBe(true);
      }),
    );
  });

  test('fails when one member is changed, added or taken away', () => {
    fc.assert(
      fc.property(profileObject, fc.string(), profileValue, fc.nat(), (object, name, value, pick) => {
        fc.pre(!['signature', 'co_signatures'].includes(name));
        const signed = signRecord({ ...object, ...claims }, { key, typ });
        const names = Object.keys(object).filter(
          (member) => member !== 'signature' && member !== 'co_signatures',
        );
        const target = names.length > 0 && pick % 2 === 0 ? names[pick % names.length]! : name;
        const changed = { ...signed, [target]: value };
        const before = Object.hasOwn(signed, target) ? (signed as JsonObject)[target] : undefined;
        fc.pre(!sameJson(changed[target], before));
        expect(verifyRecord(changed, options).valid).toBe(false);
        if (Object.hasOwn(object, target)) {
          const { [target]: taken, ...less } = signed as JsonObject;
          expect(verifyRecord(less, options).valid).toBe(false);
        }
      }),
    );
  });

  test('fails when one bit of its text is changed', () => {
    fc.assert(
      fc.property(profileObject, fc.nat(), fc.nat({ max: 7 }), (object, place, bit) => {
        const signed = signRecord({ ...object, ...claims }, { key, typ });
        const bytes = Buffer.from(JSON.stringify(signed));
        const at = place % bytes.length;
        bytes[at] = bytes[at]! ^ (1 << bit);
        let changed: JsonValue;
        try {
          changed = parseStrictJson(bytes);
        } catch {
          return;
        }
        // A flipped bit may change only the spelling: \u001F for \u001f.
        fc.pre(canonicalize(changed) !== canonicalize(signed));
        expect(verifyRecord(changed, options).valid).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  test('fails when one bit of the header or of the signature is changed', () => {
    const signed = signRecord(record, { key, typ });
    for (const part of ['protected', 'signature'] as const) {
      const bytes = Buffer.from(signed.signature[part], 'base64url');
      for (let bit = 0; bit < bytes.length * 8; bit += 3) {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = changed[bit >> 3]! ^ (1 << (bit & 7));
        const signature: DetachedSignature = { ...signed.signature, [part]: encodeBase64url(changed) };
        expect(verifyRecord({ ...signed, signature }, options).valid).toBe(false);
      }
    }
  });
});

function sameJson(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return one !== undefined && other !== undefined && canonicalize(one) === canonicalize(other);
}
