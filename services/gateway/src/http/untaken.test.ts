import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@hearth/testkit';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import express from 'express';
import { classesOf } from './app-classes.ts';
import { createUntaken, type UntakenBounds } from './untaken.ts';

const mebibyte = 1_048_576;
const usual: UntakenBounds = {
  ...{ stallMs: 200, wholeMs: 60_000, slowest: 50 },
  ...{ network: 16 * mebibyte, total: 64 * mebibyte, inHand: 8 },
};
let bounds: UntakenBounds;
let server: Server;
let clients: Socket[];
let port: number;

beforeEach(() => {
  bounds = { ...usual };
  clients = [];
});

afterEach(() => {
  for (const client of clients) client.destroy();
  server.closeAllConnections();
  server.close();
});

/** Answers with as many bytes as the path says; `/held` never. A header names the network. */
async function serve(): Promise<void> {
  const untaken = createUntaken({ of: ({ headers }) => String(headers['x-network'] ?? 'one') }, bounds);
  server = createServer({ ...classesOf(express(), untaken.ended) }, (request, response) => {
    const refusal = untaken.begin(request, response);
    if (refusal === 'cut' || request.url === '/held') return;
    response.statusCode = refusal === undefined ? 200 : 503;
    response.end(refusal === undefined ? 'x'.repeat(Number(request.url!.slice(1))) : refusal.message);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
}

/** Sends these requests without waiting, and reads nothing until told to. */
function client(...asked: [path: string, network?: string][]) {
  const socket = connect(port, '127.0.0.1').pause();
  clients.push(socket);
  socket.on('error', () => {});
  for (const [path, network = 'one'] of asked)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Network: ${network}\r\n\r\n`);
  return socket;
}

const open = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));

const until = (expected: number) => eventually(open, (count) => count === expected);

async function statusOf(path: string, network?: string): Promise<string> {
  const socket = client([path, network]).resume();
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return first.toString().split(' ')[1]!;
}

test('an answer that is never read is cut', async () => {
  await serve();
  client(['/20000000']);
  await until(1);
  await until(0);
});

test('an answer that is read too slowly is cut', async () => {
  Object.assign(bounds, { stallMs: 60_000, wholeMs: 300, slowest: 100_000 });
  await serve();
  client(['/20000000']);
  await until(1);
  await until(0);
});

test('slow but steady readers, held requests and idle connections stay', async () => {
  bounds.stallMs = 1_000;
  await serve();
  client(['/held'], ['/20000000']);
  const idle = client(['/10']).resume();
  await once(idle, 'data');
  const slow = client(['/20000000', 'two']);
  let taken = 0;
  slow.on('data', (bytes) => {
    taken += bytes.length;
    slow.pause();
    setTimeout(() => slow.resume(), 8);
  });
  slow.resume();
  for (let tries = 0; tries < 200 && taken < 20_000_000; tries += 1) await sleep(100);
  expect(taken).toBeGreaterThan(20_000_000);
  expect(await open()).toBe(3);
});

test('a network with too much unread gets no more until it has read everything; other networks do', async () => {
  bounds.stallMs = 60_000;
  await serve();
  const [first] = [client(['/20000000', 'one'])];
  await until(1);
  await sleep(50);
  expect(await statusOf('/10', 'one')).toBe('503');
  expect(await statusOf('/10', 'two')).toBe('200');
  first.resume();
  for (let tries = 0; tries < 100 && (await statusOf('/10', 'one')) !== '200'; tries += 1) await sleep(20);
  expect(await statusOf('/10', 'one')).toBe('200');
});

test('beyond the total bound, the longest-waiting connection is cut', async () => {
  Object.assign(bounds, { stallMs: 60_000, total: 20 * mebibyte });
  await serve();
  const oldest = client(['/15000000', 'one']);
  await until(1);
  await sleep(50);
  client(['/15000000', 'two']);
  oldest.resume();
  await once(oldest, 'close');
  await until(1);
});

test('a client that pipelines too many requests is cut', async () => {
  await serve();
  client(...Array.from({ length: 9 }, (): [string] => ['/held']));
  await until(0);
});
