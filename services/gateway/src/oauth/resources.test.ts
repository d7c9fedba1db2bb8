import { describe, expect, test } from '@jest/globals';
import { cleanQuery, createResources, scopesAsked } from './resources.ts';

describe('what a token is for', () => {
  const resources = createResources('https://hearth.example');

  test.each([
    ['https://hearth.example', 'https://hearth.example'],
    ['https://hearth.example/', 'https://hearth.example'],
    ['https://hearth.example/v0', 'https://hearth.example/v0'],
    ['https://hearth.example/mcp', 'https://hearth.example/mcp'],
    ['https://hearth.example/mcp/', 'https://hearth.example/mcp'],
    ['https://hearth.example/v0/', 'https://hearth.example/v0'],
    ['HTTPS://Hearth.Example/mcp', 'https://hearth.example/mcp'],
    ['https://HEARTH.example:443/v0', 'https://hearth.example/v0'],
    ['https://HEARTH.example', 'https://hearth.example'],
  ])('%s', (resource, audience) => {
    expect(resources.audienceOf(resource)).toBe(audience);
  });

  test.each([
    'https://hearth.example/v1',
    'https://hearth.example.evil/',
    'http://hearth.example/',
    'https://HEARTH.example/MCP',
    'https://HEARTH.example:8443/',
    'https://you@HEARTH.example/',
    'https://hearth.example/mcp?x',
    '//HEARTH.example/mcp',
    '',
  ])('is not %j', (resource) => {
    expect(resources.audienceOf(resource)).toBeUndefined();
  });
});

test('a request to sign in is kept for an hour, and so has bounds: 2 KB of state, 8 KB in all', () => {
  expect(cleanQuery(`state=${'x'.repeat(2_048)}`)).toContain('state=xxx');
  expect(() => cleanQuery(`state=${'x'.repeat(2_049)}`)).toThrow('state: must have at most 2048 bytes');
  expect(() => cleanQuery(`state=${'é'.repeat(1_025)}`)).toThrow('state');
  expect(() => cleanQuery(`state=1&state=${'x'.repeat(2_049)}`)).toThrow('state');
  expect(() => cleanQuery(`redirect_uri=https://a.example/${'x'.repeat(8_192)}`)).toThrow('8192 characters');
});

describe('scopes', () => {
  test.each([
    [undefined, ['read', 'message']],
    ['', ['read', 'message']],
    ['approve read', ['read', 'approve']],
    ['read read offline_access', ['read']],
    ['fly', []],
  ])('of %j are %j', (scope, asked) => {
    expect(scopesAsked(scope)).toEqual(asked);
  });
});

describe('a request', () => {
  const cleaned = (query: string) => new URLSearchParams(cleanQuery(query));

  test('loses what belongs to OpenID Connect, and keeps what belongs to OAuth', () => {
    const query =
      'client_id=a&scope=openid+read&nonce=1&max_age=0&claims=%7B%7D&request_uri=https%3A%2F%2Fx&resource=r1&resource=r2&state=s%20t';
    expect([...cleaned(query)]).toEqual([
      ['client_id', 'a'],
      ['scope', 'read'],
      ['resource', 'r1'],
      ['resource', 'r2'],
      ['state', 's t'],
    ]);
  });

  test.each([
    ['client_id=a', 'read message'],
    ['scope=', 'read message'],
    ['scope=openid', 'read message'],
    ['scope=fly', 'fly'],
  ])('%j asks for %j', (query, scope) => {
    expect(cleaned(query).get('scope')).toBe(scope);
  });

  test('that names a scope twice is left for the authorization server to refuse', () => {
    expect(cleaned('scope=read&scope=group').getAll('scope')).toEqual(['read', 'group']);
  });
});
