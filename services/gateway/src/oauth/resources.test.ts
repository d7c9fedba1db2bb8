import { describe, expect, test } from '@jest/globals';
import { cleanQuery as cleanQueryAt, createResources, scopesAsked } from './resources.ts';

const resources = createResources('https://hearth.example');
const cleanQuery = (query: string) => cleanQueryAt(query, resources);

describe('what a token is for', () => {
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
    ['https://hearth.example:0443/mcp/', 'https://hearth.example/mcp'],
    ['https://hearth.example:/v0', 'https://hearth.example/v0'],
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

  test('is granted by any spelling, also by two at once', () => {
    const granted = ['https://hearth.example/mcp'];
    const among = (asked: unknown) => resources.among(granted, asked);
    expect(among('HTTPS://hearth.example:443/mcp/')).toBe(granted[0]);
    expect(among(['https://hearth.example/mcp', 'https://Hearth.example/mcp/'])).toBe(granted[0]);
    expect(among(['https://hearth.example/mcp', 'https://hearth.example/v0'])).toBeUndefined();
    expect(among('https://hearth.example')).toBeUndefined();
    expect(among(undefined)).toBeUndefined();
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

  test('loses OpenID Connect parameters, and keeps OAuth parameters', () => {
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

  test("has each resource of this home once, in one spelling, and others' resources unchanged", () => {
    const spelled = [
      'https://HEARTH.example:443/mcp/',
      'https://hearth.example/mcp',
      'https://other.example/',
    ];
    const query = spelled.map((resource) => `resource=${encodeURIComponent(resource)}`).join('&');
    expect(cleaned(query).getAll('resource')).toEqual([
      'https://hearth.example/mcp',
      'https://other.example/',
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
