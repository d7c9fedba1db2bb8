import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ListedKey } from '@hearth/signing';
import * as signing from '@hearth/signing';
import { describe, expect, test } from '@jest/globals';
import npmCanonicalize from 'canonicalize';
import { type FlattenedJWSInput, flattenedVerify, importJWK } from 'jose';
import { answerAgreement } from './src/agreement-judge.ts';
import type { AgreementCase } from './src/agreement-vectors.ts';
import type { KeyCase, Reason, SequenceCase, SignedCase, TextCase, VectorFile } from './src/format.ts';
import { answerKey, answerSequence, answerSigned, answerText, expectedSteps } from './src/judge.ts';
import { buildVectors } from './src/vectors.ts';

const folder = new URL('vectors/records/', import.meta.url);
const read = <Case>(name: string) =>
  JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as VectorFile<Case>;

/** Our wording of each reason, so that the test sees the right refusal. */
const words: Record<Reason, RegExp> = {
  not_json: /where .* belongs|control character|escape|not closed/,
  duplicate_member: /stands twice/,
  float: /fraction or an exponent|-0 is not taken/,
  integer_range: /beyond/,
  lone_surrogate: /surrogate stands alone/,
  too_deep: /nested deeper than 32/,
  not_utf8: /not UTF-8/,
  no_signature: /no signature/,
  signature_form: /besides protected and signature|must have 64 bytes|not a JSON object/,
  too_many_signatures: /more than 8 signatures/,
  not_base64url: /base64url without padding/,
  header_member: /protected header holds/,
  wrong_alg: /must say alg EdDSA/,
  wrong_typ: /must say typ/,
  no_kid: /names no key|kid must be/,
  unknown_kid: /is not one of the signer's for this/,
  signature_mismatch: /does not fit the object/,
  key_not_yet_valid: /not valid yet/,
  key_next: /signs nothing yet/,
  key_expired: /not valid any more|is retired/,
  key_revoked: /was revoked/,
  key_listed_badly: /listed with|uses must be|status must be|times must be/,
  key_twice: /twice/,
  wrong_home: /(?:home|origin) is/,
  expired: /(?:valid_until|expires_at) must be|has passed/,
  too_long_ahead: /5 minutes ahead|7 days after/,
  doc_seq: /^doc_seq must be/,
  issued_at: /issued_at must be/,
  key_length: /has 32 bytes/,
  key_encoding: /not the canonical encoding/,
  key_not_on_curve: /not a point of the curve/,
  key_small_order: /small order/,
  key_mixed_order: /mixed order/,
  too_many_keys: /more than 150 keys/,
  key_form: /(?:kty|crv|x|d): |without a kid|lists no keys/,
};

test('the files equal the generator’s output', () => {
  const built = buildVectors();
  const all = new URL('vectors/', import.meta.url);
  const files = ['records', 'protocol', 'federation'].flatMap((of) =>
    readdirSync(new URL(of, all)).map((name) => `${of}/${name}`),
  );
  expect(files.filter((name) => name.endsWith('.json')).sort()).toEqual(Object.keys(built).sort());
  for (const [name, text] of Object.entries(built)) {
    expect({ name, text: readFileSync(new URL(name, all), 'utf8') }).toEqual({ name, text });
  }
});

describe.each(['cards.json', 'records.json', 'envelopes.json', 'home-documents.json'])('%s', (name) => {
  const file = read<SignedCase>(name);

  test.each(file.cases)('$name: $valid $reason', (vector) => {
    const { valid, problem, kids, co_kids } = answerSigned(signing, file, vector);
    if (vector.valid)
      expect({ problem, kids, co_kids }).toEqual({ problem: '', kids: vector.kids, co_kids: vector.co_kids });
    else
      expect({ valid, problem }).toEqual({
        valid: false,
        problem: expect.stringMatching(words[vector.reason!]),
      });
  });
});

describe('home-sequences.json', () => {
  const { home = '', cases } = read<SequenceCase>('home-sequences.json');

  test.each(cases)('$name', (vector) => {
    expect(answerSequence(signing, home, vector)).toEqual(expectedSteps(vector));
  });
});

describe('another implementation (jose and the reference JCS)', () => {
  const files = ['cards.json', 'records.json', 'envelopes.json'];
  const cases = files.flatMap((name) =>
    read<SignedCase>(name).cases.map((vector) => ({ file: name, ...vector })),
  );
  const listed = read<SignedCase>('cards.json').keys as ListedKey[];

  async function verifies(vector: SignedCase): Promise<boolean> {
    const object = JSON.parse(vector.text ?? JSON.stringify(vector.object)) as Record<string, unknown>;
    const { signature, co_signatures, ...rest } = object;
    const { protected: header } = signature as { protected: string };
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
    const key = await importJWK((vector.keys ?? listed).find((candidate) => candidate.kid === kid)!, 'EdDSA');
    const payload = Buffer.from(npmCanonicalize(rest) as string).toString('base64url');
    return flattenedVerify({ ...(signature as FlattenedJWSInput), payload }, key).then(
      () => true,
      () => false,
    );
  }

  test.each(cases.filter(({ valid }) => valid))('verifies $file: $name', async (vector) => {
    expect(await verifies(vector)).toBe(true);
  });

  test.each(cases.filter(({ reason }) => reason === 'signature_mismatch'))(
    'refuses $file: $name',
    async (vector) => {
      expect(await verifies(vector)).toBe(false);
    },
  );
});

describe('agreements.json', () => {
  const file = read<AgreementCase>('agreements.json');
  const { home = '', now = '', cases } = file;

  test.each(cases)('$name', (vector) => {
    const { valid, own, co_signed } = vector;
    const keys = file.keys as ListedKey[];
    expect(answerAgreement({ home, now, keys }, vector)).toEqual({ valid, own, co_signed });
  });

  // True where the library for a foreign reader is installed.
  const python = spawnSync('python3', ['-c', 'import cryptography']).status === 0;
  (python ? test : test.skip)('a reader in Python answers as the vectors say', () => {
    const reader = fileURLToPath(new URL('python/agreements.py', import.meta.url));
    const { status, stdout, stderr } = spawnSync('python3', ['-B', reader], { encoding: 'utf8' });
    const said = `${cases.length} agreements: 0 answered otherwise than they say\n`;
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: said, stderr: '' });
  });
});

describe('json.json', () => {
  test.each(read<TextCase>('json.json').cases)('$name: $valid $reason', (vector) => {
    const answer = answerText(signing, vector);
    if (vector.valid) expect(answer).toEqual([vector.canonical, vector.digest]);
    else expect(answer).toMatch(words[vector.reason!]);
  });
});

describe('keys.json', () => {
  test.each(read<KeyCase>('keys.json').cases)('$name: $valid $reason', (vector) => {
    const answer = answerKey(signing, vector);
    if (vector.valid) expect(answer).toBe(vector.thumbprint);
    else expect(answer.replace('refused: ', '')).toMatch(words[vector.reason!]);
  });
});
