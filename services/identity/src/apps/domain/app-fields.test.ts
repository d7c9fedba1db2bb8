import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readEventTypes, readRedirectUris } from './app-fields.ts';

describe('redirect URIs', () => {
  test.each([
    'https://planner.example',
    'https://planner.example/back?from=hearth&x=%20',
    'https://planner.example:8443/back',
    'http://localhost/back',
    'http://localhost:3000/back',
    'http://127.0.0.1:3000/',
    'http://[::1]:3000/back',
  ])('%s is accepted unchanged', (uri) => {
    expect(readRedirectUris([uri])).toEqual([uri]);
  });

  test('repeated count once', () => {
    expect(readRedirectUris(['https://a.example/', 'https://b.example/', 'https://a.example/'])).toEqual([
      'https://a.example/',
      'https://b.example/',
    ]);
  });

  test.each([
    ['', 'a whole address'],
    ['planner.example/back', 'a whole address'],
    ['//planner.example/back', 'a whole address'],
    ['https://', 'a whole address'],
    [' https://planner.example/', 'a whole address'],
    ['https://planner.example/\n', 'a whole address'],
    ['https://planner.example\\@evil.example/', 'a whole address'],
    ['https://plännér.example/', 'a whole address'],
    ['http://planner.example/', 'must begin with https://'],
    ['http://127.0.0.1.evil.example/', 'must begin with https://'],
    ['http://localhost.evil.example/', 'must begin with https://'],
    ['http://0.0.0.0/', 'must begin with https://'],
    ['javascript:alert(1)', 'must begin with https://'],
    ['data:text/html,x', 'must begin with https://'],
    ['com.planner.app:/back', 'must begin with https://'],
    ['https://user@planner.example/', 'user name'],
    ['https://user:pass@planner.example/', 'user name'],
    ['https://planner.example/#part', 'fragment'],
    ['https://planner.example/#', 'fragment'],
    ['https://*.planner.example/', 'wildcards'],
    ['https://planner.example/*', 'wildcards'],
  ])('%j is refused', (uri, words) => {
    expect(() => readRedirectUris(['https://good.example/', uri])).toThrow(words);
    expect(() => readRedirectUris(['https://good.example/', uri])).toThrow(/^redirect_uris\[1\]: /);
  });

  test('that are accepted use https or stay on this machine, without a misleading host', () => {
    const parts = fc
      .tuple(
        fc.constantFrom('https://', 'http://', 'HTTPS://', 'ftp://', 'https:/', ''),
        fc.constantFrom('', 'a@', 'a:b@', '\\', ' '),
        fc.constantFrom(
          'planner.example',
          'localhost',
          '127.0.0.1',
          '[::1]',
          '127.1',
          'ex\u0430mple.com',
          '*.a.example',
        ),
        fc.constantFrom('', ':80', ':99999', ':x'),
        fc.constantFrom('', '/', '/a?b=c', '/#x', '/\t', '/%zz'),
      )
      .map((given) => given.join(''));
    fc.assert(
      fc.property(
        fc.oneof(parts, fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string()),
        (uri) => {
          let taken: string[];
          try {
            taken = readRedirectUris([uri]);
          } catch {
            return;
          }
          expect(taken).toEqual([uri]);
          const url = new URL(uri);
          const here = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
          expect(url.protocol === 'https:' || (url.protocol === 'http:' && here)).toBe(true);
          expect([url.username, url.password, url.hash]).toEqual(['', '', '']);
          expect(uri).toMatch(/^[\x21-\x7e]+$/);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('event types', () => {
  const known = ['a', 'b', 'c'];

  test('are unique known types, in catalogue order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...known), { minLength: 1 }), (given) => {
        expect(readEventTypes(given, known)).toEqual(known.filter((type) => given.includes(type)));
      }),
    );
  });

  test('may be "all" on its own, for every type', () => {
    expect(readEventTypes(['all'], known)).toEqual([]);
    expect(() => readEventTypes(['all', 'a'], known)).toThrow(/alone/);
    expect(() => readEventTypes(['a', 'x'], known)).toThrow(
      /^event_types\[1\]: is not an event type; there are: a, b, c/,
    );
  });
});
