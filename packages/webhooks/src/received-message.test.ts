import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addressedTo, receivedProblem } from './received-message.ts';
import { signStandard } from './standard-signature.ts';

const to = 'https://robin.example/hooks';
const id = `apr_${'0'.repeat(32)}`;
const unixSeconds = 1_768_471_200;
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const keys = [publicKey.export({ format: 'jwk' }) as { kty: string; crv: string; x: string }];
const body = addressedTo(to, '{"status":"approved"}');
const bySecret = (secret: Buffer, text = body) =>
  signStandard([secret], { id, unixSeconds, body: text }).join(' ');
const byKey = (text = body) =>
  `v1a,${sign(null, Buffer.from(`${id}.${unixSeconds}.${text}`), privateKey).toString('base64')}`;

test('the receiver comes first in the body, whatever else it contains', () => {
  fc.assert(
    fc.property(fc.webUrl(), fc.dictionary(fc.string(), fc.jsonValue()), (url, { to: _, ...members }) => {
      const addressed = addressedTo(url, JSON.stringify(members));
      expect(addressed.startsWith('{"to":"')).toBe(true);
      expect(JSON.parse(addressed)).toEqual(JSON.parse(JSON.stringify({ to: url, ...members })));
    }),
  );
});

test.each<[string, string, object, string | null]>([
  ['by a shared secret', bySecret(Buffer.alloc(24, 1)), {}, null],
  ['by the key of the home', byKey(), {}, null],
  ['by both, and one of a kind to come', `v2,x ${byKey()} ${bySecret(Buffer.alloc(24, 2))}`, {}, null],
  ['by another secret', bySecret(Buffer.alloc(24, 2)), {}, 'no signature fits'],
  ['by another key', byKey(), { keys: [] }, 'no signature fits'],
  ['over another body', byKey('{}'), {}, 'no signature fits'],
  ['with stray bits', byKey().replace(/(.)==$/, (_, last: string) => `${next(last)}==`), {}, null],
  ['unpadded', byKey().replace('==', ''), {}, 'no signature fits'],
  ['five minutes ago', byKey(), { unixSeconds: unixSeconds + 300 }, null],
  ['a second more ago', byKey(), { unixSeconds: unixSeconds + 301 }, 'five minutes off'],
  ['five minutes and a second ahead', byKey(), { unixSeconds: unixSeconds - 301 }, 'five minutes off'],
  ['to another receiver', byKey(), { to: 'https://mallory.example/hooks' }, 'another receiver'],
])('a message %s', (_, signature, but, problem) => {
  const receiver = { to, unixSeconds, keys, secrets: [Buffer.alloc(24, 1)], ...but };
  const found = receivedProblem({ id, timestamp: String(unixSeconds), signature, body }, receiver);
  if (problem === null) expect(found).toBeNull();
  else expect(found).toContain(problem);
});

test('a body that names no receiver is refused', () => {
  for (const text of ['{}', '[]', 'null', '"to"', '{"to":7}', 'x']) {
    const message = { id, timestamp: String(unixSeconds), signature: byKey(text), body: text };
    expect(receivedProblem(message, { to, unixSeconds, keys })).toBe('it is for another receiver');
  }
});

function next(letter: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return alphabet[alphabet.indexOf(letter) + 1] as string;
}
