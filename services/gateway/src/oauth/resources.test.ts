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
  ])('%s', (resource, audience) => {
    expect(resources.audienceOf(resource)).toBe(audience);
  });

  test.each([
    'https://hearth.example/v1',
    'https://hearth.example.evil/',
    'http://hearth.example/',
    'https://HEARTH.example/',
    '',
  ])('is not %j', (resource) => {
    expect(resources.audienceOf(resource)).toBeUndefined();
  });
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
