/**
 * Measures the gateway's CPU per request, with peers that are handlers in its process. Compares it with the
 * machine's floor at the same time: a bare node:http server that answers 15 bytes.
 *
 * node services/gateway/test/measure.ts [requests per case]
 */
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { startTestPostgres, testPostgresVariable } from '@hearth/testkit/postgres';
import { Pool } from 'undici';
import { type Serving, startMeasured } from './support/measured.ts';

const key = 'key-of-robin';
const authorization = `Bearer ${key}`;
const message = JSON.stringify({
  to: '@free-abc123.ai-wren',
  text: 'x'.repeat(200),
  request_id: 'measure-1',
});
const call = { name: 'whoami', arguments: {} };
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'measure', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const rpc = (params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
const cases = [
  { name: 'floor: node:http', method: 'GET', path: '/', floor: true },
  { name: 'GET /health', method: 'GET', path: '/health' },
  { name: 'GET /llms.txt', method: 'GET', path: '/llms.txt' },
  { name: 'GET /v0/me', method: 'GET', path: '/v0/me', headers: { authorization } },
  {
    name: 'GET /v0/messages?unread=true&wait=25',
    method: 'GET',
    path: '/v0/messages?unread=true&wait=25',
    headers: { authorization },
  },
  {
    name: 'POST /v0/messages',
    method: 'POST',
    path: '/v0/messages',
    body: message,
    headers: { authorization, 'content-type': 'application/json' },
  },
  {
    name: 'POST /mcp whoami, 2025-11-25',
    method: 'POST',
    path: '/mcp',
    body: rpc(call),
    headers: { authorization, 'content-type': 'application/json' },
  },
  {
    name: 'POST /mcp whoami, 2026-07-28',
    method: 'POST',
    path: '/mcp',
    body: rpc({ ...call, _meta: envelope }),
    headers: {
      authorization,
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'whoami',
    },
  },
  { name: 'GET /v0/me without a key (401)', method: 'GET', path: '/v0/me' },
];
const connections = 16;

if (process.argv[2] === 'serve') {
  const postgres = await startTestPostgres();
  process.env[testPostgresVariable] = postgres.url;
  const serving: Serving = await startMeasured(key);
  const floor = createServer((_, response) => response.end('{"status":"ok"}'));
  await new Promise<void>((resolve) => floor.listen(0, '127.0.0.1', resolve));
  process.send?.({ url: serving.url, floorUrl: `http://127.0.0.1:${(floor.address() as AddressInfo).port}` });
  process.on('message', (ask) => {
    if (ask === 'cpu') process.send?.(process.cpuUsage());
    else
      void serving
        .stop()
        .then(postgres.stop)
        .then(() => process.exit());
  });
} else {
  await measure(Number(process.argv[2] ?? 20_000));
}

async function measure(requests: number): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), ['serve']);
  const reply = <Value>() =>
    new Promise<Value>((resolve) => child.once('message', (value) => resolve(value as Value)));
  const { url, floorUrl } = await reply<{ url: string; floorUrl: string }>();
  const cpu = async () => {
    const answer = reply<NodeJS.CpuUsage>();
    child.send('cpu');
    const { user, system } = await answer;
    return user + system;
  };
  const [pool, floorPool] = [new Pool(url, { connections }), new Pool(floorUrl, { connections })];
  for (const { name, floor, ...request } of cases) {
    const run = (count: number) =>
      drive(floor ? floorPool : pool, request as Parameters<Pool['request']>[0], count);
    await run(requests / 4);
    const [before, began] = [await cpu(), performance.now()];
    await run(requests);
    const [used, seconds] = [(await cpu()) - before, (performance.now() - began) / 1_000];
    console.log(
      `${(used / requests).toFixed(1).padStart(6)} µs  ${Math.round(requests / seconds)}/s  ${name}`,
    );
  }
  await Promise.all([pool.close(), floorPool.close()]);
  child.send('stop');
}

async function drive(pool: Pool, request: Parameters<Pool['request']>[0], count: number): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const { body } = await pool.request(request);
      await body.dump();
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
}
