import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { createGuard } from './guard.ts';

const request = (headers: IncomingMessage['headers'], url = '/v0/agents', method = 'POST') =>
  ({ headers, url, method }) as IncomingMessage;
const guard = createGuard({
  siteUrl: 'https://home.example',
  hosts: ['gateway.internal'],
  origins: ['https://chat.example'],
});
const passes = (headers: IncomingMessage['headers'], ...to: [url?: string, method?: string]) => {
  try {
    guard.check(request(headers, ...to));
    return true;
  } catch (error) {
    expect(error).toMatchObject({ kind: 'forbidden' });
    return false;
  }
};

describe('a whole URL as the target', () => {
  test.each([
    ['http://evil.example/v0/limits', 'home.example', false],
    ['HTTPS://evil.example', 'home.example', false],
    ['http://home.example@evil.example/v0/limits', 'home.example', false],
    ['http:///v0/limits', 'home.example', false],
    ['http://home.example/v0/limits', 'evil.example', true],
    ['http://HOME.example:80/v0/limits?q=1', undefined, true],
  ])('%s counts before the Host header %s', (url, host, good) => {
    expect(passes({ host }, url)).toBe(good);
  });
});

describe('the host', () => {
  test.each([
    'home.example',
    'HOME.example:443',
    'gateway.internal:8080',
    'localhost:9',
    '127.0.0.1:8080',
    '[::1]:8080',
  ])('may be %s', (host) => {
    expect(passes({ host })).toBe(true);
  });

  test.each([
    undefined,
    '',
    'evil.example',
    'home.example.evil.example',
    'evil.example:home.example',
    'home.example:443@evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'home.example/',
    'home.example,evil.example',
    '[::1',
    '10.0.0.1',
  ])('may not be %s', (host) => {
    expect(passes({ host })).toBe(false);
  });
});

test('probes are accepted under any host', () => {
  for (const url of ['/health', '/ready', '/v0/health', '/v0/ready'])
    expect(passes({ host: '10.0.0.1:8080' }, url, 'GET')).toBe(true);
  expect(passes({ host: '10.0.0.1:8080' }, '/llms.txt', 'GET')).toBe(false);
});

describe('the origin', () => {
  const host = 'home.example';

  test.each(['https://home.example', 'https://chat.example', undefined])('may be %s', (origin) => {
    expect(passes({ host, origin })).toBe(true);
  });

  test('may be this machine if the request is for it', () => {
    expect(passes({ host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' })).toBe(true);
    expect(passes({ host: '127.0.0.1:8080', origin: 'http://127.0.0.1:3000' })).toBe(false);
    expect(passes({ host: 'evil.example', origin: 'http://evil.example' })).toBe(false);
  });

  test.each([
    'null',
    '',
    'http://home.example',
    'https://home.example:8443',
    'https://evil.example',
    'https://home.example.evil.example',
    'http://localhost:3000',
    'https://chat.example/',
  ])('may not be %s', (origin) => {
    expect(passes({ host, origin })).toBe(false);
  });

  test('may be another for requests that change nothing, but never over MCP', () => {
    const headers = { host, origin: 'https://evil.example' };
    expect(passes(headers, '/v0/openapi.json', 'GET')).toBe(true);
    expect(passes(headers, '/claim', 'POST')).toBe(false);
    for (const path of ['/mcp', '/mcp/']) expect(passes(headers, path, 'OPTIONS')).toBe(false);
  });

  test('may be "null" for our own pages, which have a token, but not for programs', () => {
    expect(passes({ host, origin: 'null' }, '/sign-in')).toBe(true);
    for (const path of ['/v0/agents', '/mcp', '/mcp/'])
      expect(passes({ host, origin: 'null' }, path)).toBe(false);
  });

  test('may be another name of the home', () => {
    expect(passes({ host: 'gateway.internal', origin: 'https://gateway.internal' })).toBe(true);
    expect(passes({ host: 'gateway.internal', origin: 'https://home.example.evil' })).toBe(false);
  });

  test('may read the answer if it may send the request', () => {
    const allowed = 'Access-Control-Allow-Origin';
    expect(guard.headersFor(request({ origin: 'https://chat.example' }))).toEqual(
      expect.arrayContaining([allowed, 'https://chat.example', 'Vary', 'Origin']),
    );
    expect(guard.headersFor(request({ origin: 'https://evil.example' }))).toEqual([]);
    expect(guard.headersFor(request({}))).toEqual([]);
  });
});
