import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { askDigest } from './ask-digest.ts';

const vectors = new URL('../../../../interop/vectors/protocol/asks.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(vectors, 'utf8')) as {
  cases: { name: string; ask: object; digest: string }[];
};

test.each(cases)('the digest of an ask matches its display on the page: $name', ({ ask, digest }) => {
  expect(askDigest(Buffer.from(JSON.stringify(ask)), 'ask')).toBe(digest);
});
