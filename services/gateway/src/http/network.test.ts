import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createNetwork } from './network.ts';

/** A request over a connection from `remoteAddress`. */
function requestFrom(remoteAddress: string | undefined, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
}

describe('without trusted proxies', () => {
  const network = createNetwork();

  test.each(['198.51.100.7', '127.0.0.1', 'nonsense', ''])('ignores X-Forwarded-For: %j', (told) => {
    expect(network.of(requestFrom('203.0.113.9', told))).toBe('203.0.113.0/24');
  });

  test('a closed connection has no network', () => {
    expect(network.of(requestFrom(undefined, '198.51.100.7'))).toBe('unknown');
  });
});

test.each([
  ['127.0.0.1', undefined, [], true],
  ['::1', undefined, [], true],
  ['::ffff:10.1.2.3', undefined, [], true],
  ['203.0.113.9', undefined, [], false],
  [undefined, undefined, [], false],
  // An untrusted proxy may pass on anyone.
  ['127.0.0.1', '10.0.0.1', [], false],
  ['127.0.0.1', '203.0.113.9', ['loopback'], false],
  ['127.0.0.1', '10.0.0.1, 203.0.113.9', ['loopback'], false],
  ['127.0.0.1', '10.0.0.1', ['loopback'], true],
  ['127.0.0.1', undefined, ['loopback'], true],
] as const)(
  'from %s, passed on for %s, trusted proxies %j: inside is %s',
  (address, told, proxies, expected) => {
    expect(createNetwork(proxies).isInside(requestFrom(address, told))).toBe(expected);
  },
);

describe('with trusted proxies', () => {
  const network = createNetwork(['loopback', '10.0.0.0/8', 'fd00:1::/32']);
  const of = (remoteAddress: string | undefined, told?: string) =>
    network.of(requestFrom(remoteAddress, told));

  test.each([
    ['one proxy', '10.1.1.1', '203.0.113.9', '203.0.113.0/24'],
    ['one proxy on this machine', '127.0.0.1', '203.0.113.9', '203.0.113.0/24'],
    ['two proxies', '10.1.1.1', '203.0.113.9, 10.2.2.2', '203.0.113.0/24'],
    [
      'two proxies, and what the caller made up',
      '10.1.1.1',
      '9.9.9.9, 203.0.113.9,10.2.2.2',
      '203.0.113.0/24',
    ],
    ['a proxy that the caller made up', '10.1.1.1', '9.9.9.9, 10.2.2.2, 203.0.113.9', '203.0.113.0/24'],
    ['nonsense that the caller made up', '10.1.1.1', 'nonsense,,;=, 203.0.113.9', '203.0.113.0/24'],
    ['a caller of IPv6', '10.1.1.1', '2001:db8:1:2ff::1', '2001:db8:1:200::/56'],
    ['a proxy of IPv6', 'fd00:1::7', '2001:db8:1:2ff::1, fd00:1::8', '2001:db8:1:200::/56'],
    ['a proxy whose IPv4 is written as IPv6', '::ffff:10.1.1.1', '::ffff:203.0.113.9', '203.0.113.0/24'],
    ['a caller among the proxies', '10.1.1.1', '10.2.2.2', '10.2.2.0/24'],
  ])('%s', (_name, remoteAddress, told, expected) => {
    expect(of(remoteAddress, told)).toBe(expected);
  });

  test.each(['203.0.113.9', '2001:db8::1', 'fd00:2::1', '::ffff:11.0.0.1'])(
    'nothing that %s tells counts',
    (remoteAddress) => {
      expect(of(remoteAddress, '198.51.100.7')).toBe(of(remoteAddress));
      expect(of(remoteAddress, '198.51.100.7')).not.toBe('198.51.100.0/24');
    },
  );

  test.each([
    undefined,
    '',
    ' , ',
    'unknown',
    '203.0.113.9:4711',
    '[2001:db8::1]',
    '203.0.113',
    '3405803785',
    '"x"',
  ])('a proxy that names %j counts itself', (told) => {
    expect(of('10.1.1.1', told)).toBe('10.1.1.0/24');
    expect(of('127.0.0.1', told && `${told}, 10.1.1.1`)).toBe(told ? '10.1.1.0/24' : '127.0.0.0/24');
  });

  test("two callers over a proxy's connection are told apart", () => {
    const request = requestFrom('10.1.1.1', '203.0.113.9');
    expect(network.of(request)).toBe('203.0.113.0/24');
    request.headers['x-forwarded-for'] = '198.51.100.7';
    expect(network.of(request)).toBe('198.51.100.0/24');
  });

  test("whatever a caller sends before, the proxy's word counts", () => {
    fc.assert(
      fc.property(fc.string(), (madeUp) => {
        expect(of('10.1.1.1', `${madeUp}, 203.0.113.9`)).toBe('203.0.113.0/24');
      }),
    );
  });
});
