import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { answersTo, type ClientMetadata, settleClient } from './client-rules.ts';

const redirects = (...uris: unknown[]): ClientMetadata => ({ redirect_uris: uris });

describe('a client', () => {
  test.each([
    ['https://program.example/callback', 'web'],
    ['https://program.example:8443/callback?x=1', 'web'],
    ['http://localhost/callback', 'native'],
    ['http://127.0.0.1:7777/', 'native'],
    ['http://[::1]:7777/', 'native'],
    ['com.example.app:/callback', 'native'],
    ['cursor://anysphere.cursor-retrieval/oauth/callback', 'native'],
  ])('with an answer at %s is of type %s', (uri, type) => {
    const metadata = redirects(uri);
    expect(settleClient(metadata)).toBeUndefined();
    expect(metadata['application_type']).toBe(type);
  });

  test.each([
    [[]],
    [['http://program.example/']],
    [['http://127.0.0.1.evil.example/']],
    [['http://localhost.evil.example/']],
    [['https://localhost/callback']],
    [['https://user@program.example/']],
    [['https://program.example/#fragment']],
    [['javascript:alert(1)']],
    [['data:text/html,x']],
    [['file:///etc/passwd']],
    [['view-source:https://x.example/']],
    [['chrome-extension://x/']],
    [['ws://x/']],
    [['tel:1']],
    [['sms:1']],
    [['mailto:a@x.example']],
    [['myapp:x']],
    [['/callback']],
    [['']],
    [[7]],
    [[`https://program.example/${'a'.repeat(1_000)}`]],
    [['https://program.example/', 'http://evil.example/']],
    [Array.from({ length: 11 }, (_, index) => `https://program.example/${index}`)],
  ])('is refused with %j', (uris) => {
    expect(settleClient(redirects(...uris))).toMatch(/^redirect_uris /);
  });

  test.each([[undefined], [null], ['https://program.example/'], [{}]])(
    'is not taken with %j for a list',
    (uris) => {
      expect(settleClient({ redirect_uris: uris })).toMatch(/^redirect_uris /);
    },
  );

  test('has a name of one line, or none', () => {
    const named = (client_name: unknown) => {
      const metadata = { ...redirects('https://a.example/'), client_name };
      settleClient(metadata);
      return metadata.client_name;
    };
    expect(named('  My\u202e\nprogram ')).toBe('My program');
    expect([...String(named('x'.repeat(200)))].length).toBeLessThanOrEqual(80);
    for (const nothing of ['', ' \u200b', 7, null, { x: 1 }]) expect(named(nothing)).toBeUndefined();
  });

  test('loses members that the home would have to fetch', () => {
    const metadata = {
      ...redirects('https://a.example/'),
      jwks_uri: 'https://a.example/jwks',
      sector_identifier_uri: 'https://10.0.0.1/',
      logo_uri: 'https://a.example/logo',
    };
    settleClient(metadata);
    expect(Object.keys(metadata).sort()).toEqual(['application_type', 'redirect_uris']);
  });

  test('that was normalized stays the same', () => {
    const uri = fc.oneof(
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.string(),
      fc.anything(),
    );
    fc.assert(
      fc.property(fc.array(uri, { maxLength: 12 }), fc.anything(), (uris, client_name) => {
        const metadata: ClientMetadata = { redirect_uris: uris, client_name };
        if (settleClient(metadata) !== undefined) return true;
        const once = JSON.stringify(metadata);
        return settleClient(metadata) === undefined && JSON.stringify(metadata) === once;
      }),
      { numRuns: 300 },
    );
  });
});

test.each([
  ['https://program.example/callback', 'program.example'],
  ['https://program.example:8443/', 'program.example:8443'],
  ['http://127.0.0.1:7777/', 'a program on this device'],
  ['cursor://anysphere/callback', 'the app of cursor'],
])('an answer to %s goes to %s', (uri, words) => {
  expect(answersTo(uri)).toBe(words);
});
