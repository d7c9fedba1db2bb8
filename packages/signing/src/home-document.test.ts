import { describe, expect, test } from '@jest/globals';
import { encodeBase64url } from './base64url.ts';
import { readHomeDocument } from './home-document.ts';
import type { KeptDocument } from './kept-document.ts';
import { receiveDocument } from './kept-document.ts';
import type { ListedKey } from './key-validity.ts';
import { exportPublicJwk, type KeyPair, keyPairFromSeed } from './keys.ts';
import { signRecord } from './sign-record.ts';
import { keyFrom } from './usable-key.ts';

const home = 'other.example';
const now = Date.parse('2026-03-01T12:00:00Z');
const pairOf = (number: number) => {
  const seed = Buffer.alloc(32, 9);
  seed.writeUInt32BE(number);
  return keyPairFromSeed(seed);
};
const listedAs = (pair: KeyPair, but: Partial<ListedKey> = {}): ListedKey => ({
  ...exportPublicJwk(pair),
  ...{ uses: ['record', 'request'], status: 'active', not_before: '2026-02-01T00:00:00Z' },
  ...but,
});

function documentOf(keys: ListedKey[], by: KeyPair): object {
  const times = { issued_at: '2026-03-01T11:00:00Z', valid_until: '2026-03-02T11:00:00Z' };
  return signRecord({ v: 1, home, doc_seq: 1, ...times, keys }, { key: by, typ: 'svc-home+jws' });
}

/** Milliseconds of CPU that this process used. */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe('the keys of a document', () => {
  const pairs = Array.from({ length: 400 }, (_, number) => pairOf(number));
  const listed = pairs.map((pair) => listedAs(pair));

  test('number at most 150, and more are refused before any point is decoded', () => {
    const document = documentOf(listed, pairs[0]!);
    let read: unknown;
    const cpu = cpuOf(() => {
      read = readHomeDocument(document, { home, now });
    });
    expect(read).toBe('it lists more than 150 keys');
    expect(cpu).toBeLessThan(20);
    expect(readHomeDocument(documentOf(listed.slice(0, 151), pairs[0]!), { home, now })).toMatch(/150/);
  });

  test('are validated on use, so a document with 150 keys is cheap', () => {
    const fresh = Array.from({ length: 150 }, (_, number) => pairOf(1_000 + number));
    const document = documentOf(
      fresh.map((pair) => listedAs(pair)),
      fresh[0]!,
    );
    let read: unknown;
    const cpu = cpuOf(() => {
      read = readHomeDocument(document, { home, now });
    });
    expect(read).toMatchObject({ kids: [fresh[0]!.kid] });
    // Checking every point at once took 280 ms.
    expect(cpu).toBeLessThan(100);
  });

  test('of small order are ignored', () => {
    const bad = listedAs(pairs[1]!, { x: encodeBase64url(Buffer.from([1, ...Buffer.alloc(31)])) });
    const document = documentOf([listed[0]!, bad], pairs[0]!);
    const { kept } = receiveDocument(null, document, { home, now });
    for (const use of ['record', 'request'] as const)
      expect(keyFrom(kept as KeptDocument, { kid: bad.kid, use, now })).toBe('unknown_key');
    expect(keyFrom(kept as KeptDocument, { kid: listed[0]!.kid, use: 'record', now })).toMatchObject({
      listed: listed[0],
    });
  });
});
