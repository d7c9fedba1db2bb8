import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type StartedHome, startHomeInProcesses } from '@hearth/testkit/home';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';

// Clients that ask and never read: their answers are bounded, and no other client notices them.
let home: StartedHome;
let sockets: Socket[] = [];

// Filling the mailboxes is no part of the experiment; reads have their usual limit.
const limits = JSON.stringify({
  sign_ups_an_hour: 20,
  writes_a_minute: 1_000,
  messages_to_strangers_a_day: 1_000,
});

beforeAll(async () => {
  home = await startHomeInProcesses({ topology: 'one', env: { HEARTH_LIMITS: limits } });
}, 60_000);

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

afterAll(async () => {
  await home?.stop();
}, 30_000);

function residentMiB(): number {
  const status = readFileSync(`/proc/${home.processes[0]!.pid()}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) / 1_024;
}

/** Sends and never reads. */
function leave(request: string): void {
  const socket = connect(home.processes[0]!.port, '127.0.0.1').pause();
  socket.on('error', () => {});
  socket.write(request);
  sockets.push(socket);
}

/** The most memory above `idle`, and the slowest answer of /health, in that time. */
async function watch(ms: number, idle: number) {
  let mostMiB = 0;
  let slowestMs = 0;
  const until = performance.now() + ms;
  while (performance.now() < until) {
    const began = performance.now();
    const { status } = await fetch(`${home.urls[0]}/health`);
    slowestMs = Math.max(slowestMs, performance.now() - began);
    expect(status).toBe(200);
    mostMiB = Math.max(mostMiB, residentMiB() - idle);
    await sleep(100);
  }
  return { mostMiB, slowestMs };
}

async function call(method: string, path: string, body?: object, key?: string) {
  const response = await fetch(`${home.urls[0]}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Record<string, string>;
  if (!response.ok) throw new Error(`${path}: ${response.status} ${answer.error}`);
  return answer;
}

const longest = { text: '€'.repeat(8_000), data: { padding: 'x'.repeat(16_000) } };

async function signUp(name: string) {
  const { connector_key: key = '', address = '' } = await call('POST', '/v0/agents', { name });
  return { key, address };
}

async function fill(from: { key: string }, to: { address: string }): Promise<void> {
  for (let sent = 0; sent < 100; sent += 1)
    await call('POST', '/v0/messages', { to: to.address, ...longest }, from.key);
}

test('200 connections that ask for the longest document again and again, and 660 requests for the longest pages, never read', async () => {
  const ais = await Promise.all(['Ada', 'Bob', 'Cyd', 'Dov', 'Eve', 'Fay'].map(signUp));
  await Promise.all([0, 2, 4].map((index) => fill(ais[index]!, ais[index + 1]!)));
  await call('GET', '/v0/openapi.json');
  await watch(1_000, 0);
  const idle = residentMiB();

  const documents = 'GET /v0/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(30);
  for (let count = 0; count < 200; count += 1) leave(documents);
  const first = await watch(5_000, idle);

  for (let round = 0; round < 110; round += 1) {
    for (const [index, { key }] of ais.entries()) {
      const box = index % 2 === 0 ? '&box=sent' : '';
      leave(
        `GET /v0/messages?limit=100${box} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`,
      );
    }
  }
  const second = await watch(15_000, idle);
  const found = JSON.stringify({ idle, first, second });
  // The answers hold 64 MiB at most; the rest is what reading 660 pages of 4 MB leaves to collect.
  expect([Math.max(first.mostMiB, second.mostMiB) < 200, found]).toEqual([true, found]);
  // 100 ms on a machine that does nothing else.
  expect([Math.max(first.slowestMs, second.slowestMs) < 1_500, found]).toEqual([true, found]);
}, 180_000);
