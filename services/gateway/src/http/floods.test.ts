import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { manualClock, minute } from '@hearth/clock';
import { readLimits } from '@hearth/limits';
import { expect, test } from '@jest/globals';
import { createFloods } from './floods.ts';

const homeName = 'home.example';

const behindProxy = new Set<Socket>();

function floodsOf(bound: number) {
  const clock = manualClock('2026-03-01T12:00:00Z');
  const limits = readLimits({ unproven_requests_a_minute: bound }, { homeName });
  const network = {
    of: ({ headers }: IncomingMessage) => String(headers['x-network'] ?? '192.0.2.0/24'),
    behind: (socket: Socket) => (behindProxy.has(socket) ? undefined : '192.0.2.0/24'),
  };
  return { clock, floods: createFloods({ network, limits, clock }) };
}

const request = (headers: Record<string, string> = {}, url = '/x') =>
  ({ url, headers, socket: { destroy() {} } }) as unknown as IncomingMessage;

test('a network is refused beyond its bound, cut beyond twice that, and let in again the next minute', () => {
  const { clock, floods } = floodsOf(3);
  const outcomes = () =>
    Array.from({ length: 8 }, () => {
      const refused = floods.begin(request());
      return refused === undefined ? 'taken' : refused === 'cut' ? 'cut' : refused.kind;
    });
  expect(outcomes()).toEqual([
    ...Array(3).fill('taken'),
    ...Array(3).fill('rate_limited'),
    ...Array(2).fill('cut'),
  ]);
  expect(floods.begin(request({ 'x-network': '198.51.100.0/24' }))).toBeUndefined();
  expect(() => floods.check(request())).toThrow('unproven_requests_a_minute');
  clock.advance(minute);
  expect(floods.begin(request())).toBeUndefined();
  expect(() => floods.check(request())).not.toThrow();
});

test("a proxy's connection, which others share, is never cut", () => {
  const { floods } = floodsOf(1);
  const socket = {} as Socket;
  behindProxy.add(socket);
  const message = { ...request(), socket } as IncomingMessage;
  for (let times = 0; times < 10; times += 1) floods.begin(message);
  expect(floods.begin(message)).toMatchObject({ kind: 'rate_limited' });
});

test('requests with a valid credential are never counted, and others from their network pass', () => {
  const { floods } = floodsOf(2);
  const own = request({ authorization: 'Bearer good' });
  for (let times = 0; times < 20; times += 1) {
    expect(floods.begin(own)).toBeUndefined();
    floods.proven(own);
  }
  expect(floods.begin(request())).toBeUndefined();
  for (let times = 0; times < 20; times += 1) floods.begin(request());
  // A credential is checked, and counted if it doesn't work.
  expect(floods.begin(own)).toBeUndefined();
  expect(floods.begin(request({ cookie: 'a=b; __Host-hearth_session=x' }))).toBeUndefined();
  expect(floods.begin(request({ cookie: 'a=b' }))).toBe('cut');
  expect(() => floods.check(own)).toThrow('unproven_requests_a_minute');
});

test("an unproven request's body counts by its bytes, and is refunded with the request", () => {
  const { floods } = floodsOf(10);
  const message = request();
  floods.begin(message);
  floods.weigh(message, 65_536);
  expect(floods.begin(request())).toMatchObject({ kind: 'rate_limited' });
  floods.proven(message);
  expect(floods.begin(request())).toBeUndefined();
});

test('an IPv6 network of 256 households has 8 times the bound of one, and probes of the home are always answered', () => {
  const { floods } = floodsOf(2);
  const from = (household: number) => request({ 'x-network': `2001:db8:1:${household.toString(16)}00::/56` });
  const taken = Array.from({ length: 40 }, (_, household) => floods.begin(from(household))).filter(
    (refused) => refused === undefined,
  );
  expect(taken).toHaveLength(16);
  for (const path of ['/health', '/v0/ready'])
    for (let times = 0; times < 10; times += 1)
      expect(floods.begin(request({ 'x-network': '2001:db8:1:100::/56' }, path))).toBeUndefined();
});

test('an IPv6 network of 65,536 such networks, as a provider has, has 256 times the bound', () => {
  const { floods } = floodsOf(2);
  const from = (site: number) => request({ 'x-network': `2001:db8:${site.toString(16)}:0::/56` });
  const taken = Array.from({ length: 600 }, (_, site) => floods.begin(from(site))).filter(
    (refused) => refused === undefined,
  );
  expect(taken).toHaveLength(512);
  expect(floods.begin(request({ 'x-network': '2001:db9:1:0::/56' }))).toBeUndefined();
});

test('a request counts by its cost, and not at all once it is proven', () => {
  const { floods } = floodsOf(10);
  const dear = request();
  floods.begin(dear);
  floods.price(dear, 10);
  expect(() => floods.check(dear)).not.toThrow();
  expect(floods.begin(request())).toMatchObject({ kind: 'rate_limited' });
  floods.proven(dear);
  for (let times = 0; times < 32; times += 1) {
    const cheap = request();
    expect(floods.begin(cheap)).toBeUndefined();
    floods.price(cheap, 0.25);
  }
  expect(floods.begin(request())).toBeUndefined();
  expect(floods.begin(request())).toMatchObject({ kind: 'rate_limited' });
});

test('a network with invalid credentials loses its connections too', () => {
  const { floods } = floodsOf(2);
  const ended: string[] = [];
  const guess = (name: string) => {
    const socket = { destroy: () => ended.push(name) } as unknown as Socket;
    const message = { ...request({ authorization: 'Bearer guess' }), socket } as IncomingMessage;
    expect(floods.begin(message)).toBeUndefined();
    return () => floods.check(message);
  };
  const checks = ['a', 'b', 'c', 'd'].map(guess);
  expect(checks[3]!).toThrow('unproven_requests_a_minute');
  expect(ended).toEqual([]);
  expect(guess('e')).toThrow('unproven_requests_a_minute');
  expect(ended).toEqual(['e']);
});

test('no bound counts nothing', () => {
  const clock = manualClock('2026-03-01T12:00:00Z');
  const limits = readLimits('relaxed', { homeName: 'localhost' });
  const network = { of: () => 'a', behind: () => 'a' };
  const floods = createFloods({ network, limits, clock });
  for (let times = 0; times < 5_000; times += 1) expect(floods.begin(request())).toBeUndefined();
});
