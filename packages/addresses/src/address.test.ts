import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type Address,
  isCanonicalAddress,
  parseAddress,
  printAddress,
  printFullAddress,
  sameAddress,
} from './address.ts';
import { isHomeName } from './home-name.ts';
import { parseReference, printReference } from './reference.ts';

const devHomes = ['localhost:8081', 'localhost'];

const handle = fc.stringMatching(/^[a-z0-9-]{3,30}$/);
const name = fc.stringMatching(/^[a-z0-9-]{1,30}$/);
const home = fc.oneof(
  fc.constantFrom(...devHomes, 'xn--bcher-kva.example'),
  fc.domain().filter((text) => isHomeName(text)),
);
const address: fc.Arbitrary<Address> = fc.oneof(
  fc.record({ kind: fc.constant('person' as const), handle, home }, { requiredKeys: ['kind', 'handle'] }),
  fc.record({ kind: fc.constant('group' as const), handle, home }, { requiredKeys: ['kind', 'handle'] }),
  fc.record(
    { kind: fc.constant('ai' as const), handle, name, home },
    { requiredKeys: ['kind', 'handle', 'name'] },
  ),
);

describe('an address', () => {
  test.each<[string, Address]>([
    ['@ana', { kind: 'person', handle: 'ana' }],
    ['@ana.ai-helper', { kind: 'ai', handle: 'ana', name: 'helper' }],
    ['&club.ai-group', { kind: 'ai', handle: 'club', name: 'group', ofGroup: true }],
    ['@free-a1b2c3.ai-scout-2', { kind: 'ai', handle: 'free-a1b2c3', name: 'scout-2' }],
    ['&book-club', { kind: 'group', handle: 'book-club' }],
    ['ana@home.example', { kind: 'person', handle: 'ana', home: 'home.example' }],
    ['ana.ai-helper@home.example', { kind: 'ai', handle: 'ana', name: 'helper', home: 'home.example' }],
    ['&book-club@home.example', { kind: 'group', handle: 'book-club', home: 'home.example' }],
    ['ana@localhost:8081', { kind: 'person', handle: 'ana', home: 'localhost:8081' }],
  ])('%s parses and prints unchanged', (text, expected) => {
    expect(parseAddress(text, { devHomes })).toEqual(expected);
    expect(printAddress(expected)).toBe(text);
    expect(isCanonicalAddress(text, { devHomes })).toBe(true);
  });

  test.each([
    ['@ana@home.example', 'ana@home.example'],
    ['@ana.ai-helper@home.example', 'ana.ai-helper@home.example'],
    ['@Ana.AI-Helper', '@ana.ai-helper'],
    ['ANA@Home.Example', 'ana@home.example'],
  ])('%s parses as %s and is not canonical', (text, canonical) => {
    expect(printAddress(parseAddress(text)!)).toBe(canonical);
    expect(isCanonicalAddress(text)).toBe(false);
  });

  test.each([
    '',
    '@',
    '&',
    'ana',
    '@an',
    `@${'a'.repeat(31)}`,
    '@ana_b',
    '@ána',
    '@ana ',
    ' @ana',
    '@ana\n',
    '@@ana',
    '&&club',
    '@ana.',
    '@ana.helper',
    '@ana.ai-',
    '@ana.ai-b.c',
    `@ana.ai-${'a'.repeat(31)}`,
    '@ana.ai-Ä',
    '&club.x',
    '&@ana',
    'ana.ai-x',
    'ana@',
    'ana@home',
    'ana@home.example:443',
    'ana@1.2.3.4',
    'ana@[::1]',
    'ana@home.example.',
    '@ana@',
    'ana@b@home.example',
    'ana@localhost:8082',
    'ana@home.example/x',
    'a@home.example',
    '＠ana',
    '@\u212Aelvin',
    'r:home.example:apr_1',
    `@${'a'.repeat(100_000)}`,
    'mailto:ana@home.example',
    'ana+tag@home.example',
  ])('%j is not an address', (text) => {
    expect(parseAddress(text, { devHomes })).toBeNull();
    expect(isCanonicalAddress(text, { devHomes })).toBe(false);
  });

  test("with the home's own name is local", () => {
    const options = { ownHome: 'home.example' };
    expect(parseAddress('ana@home.example', options)).toEqual({ kind: 'person', handle: 'ana' });
    expect(parseAddress('&club@home.example', options)).toEqual({ kind: 'group', handle: 'club' });
    expect(parseAddress('ana@other.example', options)).toEqual({
      kind: 'person',
      handle: 'ana',
      home: 'other.example',
    });
    expect(parseAddress('ana@localhost:8081', { ownHome: 'localhost:8081' })).toEqual({
      kind: 'person',
      handle: 'ana',
    });
  });

  test("prints with the home's name for other homes", () => {
    expect(printFullAddress({ kind: 'ai', handle: 'ana', name: 'x' }, 'home.example')).toBe(
      'ana.ai-x@home.example',
    );
    expect(printFullAddress({ kind: 'group', handle: 'club', home: 'b.example' }, 'home.example')).toBe(
      '&club@b.example',
    );
  });

  test('equals another address when both print the same', () => {
    expect(sameAddress(parseAddress('@Ana@home.example')!, parseAddress('ana@home.example')!)).toBe(true);
    expect(sameAddress(parseAddress('@ana')!, parseAddress('&ana')!)).toBe(false);
  });

  test('survives printing and parsing', () => {
    fc.assert(
      fc.property(address, (made) => {
        expect(parseAddress(printAddress(made), { devHomes })).toEqual(made);
        expect(isCanonicalAddress(printAddress(made), { devHomes })).toBe(true);
      }),
    );
  });

  test('parses any text without throwing and prints its canonical form', () => {
    const pieces = fc.constantFrom(
      '@',
      '&',
      '.ai-',
      '.',
      'ana',
      'Bo-b',
      'home.example',
      ':',
      '-',
      'x',
      'é',
      'r:',
      ' ',
    );
    const nearly = fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), nearly), (text) => {
        const read = parseAddress(text, { devHomes });
        if (read === null) return;
        const canonical = printAddress(read);
        expect(parseAddress(canonical, { devHomes })).toEqual(read);
        expect([text.toLowerCase(), text.slice(1).toLowerCase()]).toContain(canonical);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a reference', () => {
  test.each([
    [
      'r:home.example:apr_0190f3a1c2d34e5f8a9b0c1d2e3f4a5b',
      'home.example',
      'apr_0190f3a1c2d34e5f8a9b0c1d2e3f4a5b',
    ],
    ['r:home.example:42', 'home.example', '42'],
    ['r:localhost:8081:msg_1', 'localhost:8081', 'msg_1'],
    ['r:localhost:8081', 'localhost', '8081'],
  ])('%s', (text, expectedHome, id) => {
    expect(parseReference(text, { devHomes })).toEqual({ home: expectedHome, id });
    expect(printReference({ home: expectedHome, id })).toBe(text);
  });

  test.each([
    '',
    'r',
    'r:',
    'r::',
    'r:home.example',
    'r:home.example:',
    'r::apr_1',
    'R:home.example:apr_1',
    'r:home:apr_1',
    'r:home.example:a b',
    'r:home.example:a:b',
    'r:Home.example:apr_1',
    'r:1.2.3.4:apr_1',
    'apr_1',
    'r:localhost:8082:msg_1',
    `r:home.example:${'a'.repeat(65)}`,
    'r:home.example:apr_1\n',
  ])('%j is not a reference', (text) => {
    expect(parseReference(text, { devHomes: ['localhost:8081'] })).toBeNull();
  });

  test('survives printing and parsing, and parsing never throws', () => {
    const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
    fc.assert(
      fc.property(home, id, (theirHome, theirId) => {
        const reference = { home: theirHome, id: theirId };
        expect(parseReference(printReference(reference), { devHomes })).toEqual(reference);
      }),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `r:${text}`),
        ),
        (text) => {
          const read = parseReference(text, { devHomes });
          if (read !== null) expect(printReference(read)).toBe(text);
        },
      ),
    );
  });
});

describe('a home name', () => {
  test.each([
    'home.example',
    'a.b',
    'a-b.c-d.example',
    'xn--bcher-kva.example',
    '3com.example',
    'r3---sn.example.com',
    `${'a'.repeat(63)}.example`,
    '1.2.3.example',
    'postgres.default.svc.cluster.local',
  ])('%s is a home name', (text) => {
    expect(isHomeName(text)).toBe(true);
  });

  test.each([
    '',
    '.',
    'home',
    'localhost',
    'localhost:8081',
    'Home.example',
    'home.example:443',
    'home.example.',
    '.home.example',
    'home..example',
    '-a.example',
    'a-.example',
    'a_b.example',
    'bücher.example',
    'home.example/x',
    'u@home.example',
    '127.0.0.1',
    '1.2.3',
    '1.2.3.0x7f',
    '127.1',
    '[::1]',
    '::1',
    '0x7f.1',
    'a.1',
    'xn--.example',
    'XN--BCHER-KVA.example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(130)}example`,
    'home.example\n',
    'home.exa mple',
  ])('%j is not a home name', (text) => {
    expect(isHomeName(text)).toBe(false);
  });

  test('of a development setup must be on the exact list', () => {
    expect(isHomeName('localhost:8081', { devHomes })).toBe(true);
    expect(isHomeName('localhost:8082', { devHomes })).toBe(false);
    expect(isHomeName('LOCALHOST:8081', { devHomes })).toBe(false);
  });
});
