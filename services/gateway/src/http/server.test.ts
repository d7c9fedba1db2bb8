import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { expect, test } from '@jest/globals';
import { createNetwork } from './network.ts';
import { boundNetworks } from './server.ts';

class Connection extends EventEmitter {
  destroyed = false;
  readonly remoteAddress: string;
  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }
  destroy() {
    this.destroyed = true;
  }
}

test('public networks have a bound on connections; proxies and private addresses do not', () => {
  const server = new EventEmitter();
  boundNetworks(server as unknown as Server, createNetwork(['9.9.9.9']), 2);
  const open = (address: string) => {
    const connection = new Connection(address);
    server.emit('connection', connection);
    return connection;
  };
  const taken = (...addresses: string[]) => addresses.map((address) => !open(address).destroyed);
  const first = open('8.8.8.8');
  expect(taken('8.8.8.9', '8.8.8.8', '::ffff:8.8.8.7')).toEqual([true, false, false]);
  expect(taken('8.8.9.8', '2a00::1', '2a00::2', '2a00::3')).toEqual([true, true, true, false]);
  expect(taken(...Array<string>(5).fill('9.9.9.9'), ...Array<string>(5).fill('127.0.0.1'))).not.toContain(
    false,
  );
  expect(taken(...Array<string>(5).fill('192.168.1.4'))).not.toContain(false);
  first.emit('close');
  expect(taken('8.8.8.8', '8.8.8.8')).toEqual([true, false]);
});

test.each([
  ['/48', 8, (index: number) => `2a00:0:1:${(index * 256).toString(16)}::1`],
  ['/32', 256, (index: number) => `2a00:0:${index.toString(16)}::1`],
])('the networks of an IPv6 %s have %i times as many together', (_, times, addressOf) => {
  const server = new EventEmitter();
  boundNetworks(server as unknown as Server, createNetwork(), 1);
  const taken = Array.from({ length: times + 20 }, (_each, index) => {
    const connection = new Connection(addressOf(index));
    server.emit('connection', connection);
    return !connection.destroyed;
  });
  expect(taken.filter(Boolean)).toHaveLength(times);
});
