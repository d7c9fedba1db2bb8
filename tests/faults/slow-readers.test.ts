import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type StartedHome, startHomeInProcesses } from '@hearth/testkit/home';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { heapBounds } from '../../scripts/with-node/heap-bounds.mjs';

// Clients that ask and never read: their answers are bounded, and no other client notices.
let home: StartedHome;
let sockets: Socket[] = [];

// Filling the mailboxes is not part of the experiment. Reads are never refused, because refusals would be short.
const limits = JSON.stringify({
  sign_ups_an_hour: 20,
  writes_a_minute: 1_000,
  reads_a_minute: 100_000,
  messages_to_strangers_a_day: 1_000,
});

beforeAll(async () => {
  home = await startHomeInProcesses({
    topology: 'one',
    // Limits memory as the start scripts do.
    env: {
      HEARTH_LIMITS: limits,
      HEARTH_TRUSTED_PROXIES: 'loopback',
      NODE_OPTIONS: heapBounds('home'),
    },
  });
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

afterAll(async () => {
  await home?.stop();
});

function residentMiB(): number {
  const status = readFileSync(`/proc/${home.processes[0]!.pid()}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) / 1_024;
}

/** Sends a request and never reads the answer. */
function leave(request: string): void {
  const socket = connect(home.processes[0]!.port, '127.0.0.1').pause();
  socket.on('error', () => {});
  socket.write(request);
  sockets.push(socket);
}

/** The status of the unread answer on a connection. */
function statusOf(socket: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    socket.once('data', (bytes) => resolve(Number(bytes.subarray(9, 12))));
    socket.once('close', () => reject(new Error('the connection was closed unread')));
    socket.resume();
  });
}

/** Sends a request's head, then a byte of its body now and then. */
function drip(path: string, key: string): void {
  leave(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"`,
  );
  const socket = sockets.at(-1)!;
  const timer = setInterval(() => socket.writable && socket.write('x'), 500);
  socket.on('close', () => clearInterval(timer));
}

/** How long the answering thread has worked, in ms, unaffected by other load on the machine. */
function workedMs(): number {
  const pid = home.processes[0]!.pid();
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000;
}

/** Watches for that time: the most memory above `idle`, and the work until /health was answered. */
async function watch(ms: number, idle: number) {
  let mostMiB = 0;
  const took: number[] = [];
  const until = performance.now() + ms;
  while (performance.now() < until) {
    const began = workedMs();
    const { status } = await fetch(`${home.urls[0]}/health`);
    took.push(workedMs() - began);
    expect(status).toBe(200);
    mostMiB = Math.max(mostMiB, residentMiB() - idle);
    await sleep(100);
  }
  took.sort((one, other) => one - other);
  // On a busy machine, the same work occasionally takes longer.
  return { mostMiB, slowMs: took[Math.floor(0.95 * took.length)]!, slowestMs: took.at(-1)! };
}

/** How much slower than the reference machine this one currently is. */
function slowness(): number {
  const entries = Array.from({ length: 1_000 }, (_, index) => ({ index, text: `entry ${index}`.repeat(5) }));
  const began = process.cpuUsage();
  for (let round = 0; round < 600; round += 1) JSON.parse(JSON.stringify(entries));
  const { user, system } = process.cpuUsage(began);
  return Math.max(1, (user + system) / 150_000);
}

/** Unread bytes are counted by network; a proxy says which network a request comes from. */
const elsewhere = { 'x-forwarded-for': '198.51.100.7' };

async function call(method: string, path: string, body?: object, key?: string, headers: object = {}) {
  const response = await fetch(`${home.urls[0]}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(key && { authorization: `Bearer ${key}` }),
      ...headers,
    },
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

test('200 connections that request the longest document repeatedly and 660 that request the longest pages never read, and 200 more never finish sending', async () => {
  const ais = await Promise.all(['Ada', 'Bob', 'Cyd', 'Dov', 'Eve', 'Fay'].map(signUp));
  const [gus, hal] = [await signUp('Gus'), await signUp('Hal')];
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
        // Each from its own network: the documents have used up this one's unread allowance.
        `GET /v0/messages?limit=100${box} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nX-Forwarded-For: 203.0.113.${index}\r\n\r\n`,
      );
    }
  }
  const second = await watch(15_000, idle);
  // Each reader got real pages, and the rest was refused.
  const pages = sockets.slice(200);
  const statuses = await Promise.all(pages.slice(0, ais.length).map(statusOf));
  expect(statuses).toEqual(ais.map(() => 200));

  // Also clients that never finish sending; clients that read and send are served meanwhile.
  for (let count = 0; count < 200; count += 1) drip('/v0/messages', ais[count % ais.length]!.key);
  const served = async () => {
    await call('POST', '/v0/messages', { to: hal.address, text: 'hello' }, gus.key, elsewhere);
    const { messages } = await call('GET', '/v0/messages', undefined, hal.key, elsewhere);
    expect(messages).toHaveLength(1);
  };
  const [third] = await Promise.all([watch(5_000, idle), served()]);
  const all = [first, second, third];
  const times = slowness();
  const found = JSON.stringify({ idle, times, all });
  // The answers hold at most 64 MiB; the rest is garbage from reading 660 pages of 4 MB.
  expect([Math.max(...all.map(({ mostMiB }) => mostMiB)) < 200, found]).toEqual([true, found]);
  expect([Math.max(...all.map(({ slowMs }) => slowMs)) < 100 * times, found]).toEqual([true, found]);
  expect([Math.max(...all.map(({ slowestMs }) => slowestMs)) < 250 * times, found]).toEqual([true, found]);
}, 180_000);
