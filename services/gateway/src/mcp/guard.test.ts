import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { createGuard } from './guard.ts';

const request = (headers: IncomingMessage['headers']) => ({ headers }) as IncomingMessage;
const guard = createGuard({
  siteUrl: 'https://home.example',
  hosts: ['gateway.internal'],
  origins: ['https://chat.example'],
});
const passes = (headers: IncomingMessage['headers']) => {
  try {
    guard.check(request(headers));
    return true;
  } catch (error) {
    expect(error).toMatchObject({ kind: 'forbidden' });
    return false;
  }
};

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

describe('the origin', () => {
  const host = 'home.example';

  test.each(['https://home.example', 'https://chat.example', undefined])('may be %s', (origin) => {
    expect(passes({ host, origin })).toBe(true);
  });

  test('may be this machine, where the request goes there', () => {
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

  test('may read the answer when it may ask, and no other', () => {
    const allowed = 'Access-Control-Allow-Origin';
    expect(guard.headersFor(request({ origin: 'https://chat.example' }))).toEqual(
      expect.arrayContaining([allowed, 'https://chat.example', 'Vary', 'Origin']),
    );
    expect(guard.headersFor(request({ origin: 'https://evil.example' }))).toEqual([]);
    expect(guard.headersFor(request({}))).toEqual([]);
  });
});
