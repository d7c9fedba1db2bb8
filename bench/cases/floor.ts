import { type ChildProcess, fork } from 'node:child_process';
import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { SendMessageResponseSchema } from '@hearth/proto/messages/v1/messages';
import { canonicalize } from '@hearth/signing';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { createClient } from 'redis';
import { startEcho } from '../floor/grpc.ts';
import { barePostgres } from '../floor/postgres.ts';
import type { Floor } from '../lib/floor.ts';
import { perCall, perOperation } from '../lib/per-operation.ts';
import { rawClient, rawRequest } from '../lib/raw-client.ts';
import { type Servers, startServers } from '../lib/servers.ts';

const text =
  'A message that is about as long as those that people write to each other, and then a little more. ';

/** The cost of each part of the work on this machine when done alone. */
export async function measureFloor(quick: boolean): Promise<Floor> {
  const seconds = quick ? 0.5 : 1.5;
  const servers = await startServers();
  try {
    return {
      http: await http(seconds),
      ...signing(seconds / 3),
      ...encoding(seconds / 3),
      grpc: await grpc(seconds),
      ...(await postgres(seconds, servers)),
      ...(await nats(seconds, servers)),
      redis: await redis(seconds, servers),
    };
  } finally {
    await servers.stop();
  }
}

async function http(seconds: number): Promise<number> {
  const server: ChildProcess = fork(join(import.meta.dirname, '..', 'floor', 'http-server.ts'), {
    execArgv: ['--no-warnings'],
  });
  const [port] = (await once(server, 'message')) as [number];
  const clients = await Promise.all(Array.from({ length: 64 }, () => rawClient({ port })));
  const request = rawRequest('POST', '/v0/messages', 'a-key-of-some-length', { to: '@robin', text });
  const pids = [{ name: 'http', pid: server.pid! }];
  const measured = await perOperation({ pids, inFlight: 64, seconds }, (lane) =>
    clients[lane]!.request(request),
  );
  for (const client of clients) client.close();
  server.disconnect();
  return measured.serverCpuUs;
}

function signing(seconds: number): Pick<Floor, 'sign' | 'verify' | 'canonicalize'> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const bytes = randomBytes(600);
  const signature = sign(null, bytes, privateKey);
  const record = {
    id: 'rec_1',
    body: text.repeat(8),
    list: [1, 2, 3],
    at: '2026-01-31T12:00:00Z',
    to: { name: 'Robin' },
  };
  return {
    sign: perCall(seconds, () => sign(null, bytes, privateKey)),
    verify: perCall(seconds, () => verify(null, bytes, publicKey, signature)),
    canonicalize: perCall(seconds, () => canonicalize(record)),
  };
}

function encoding(seconds: number): Pick<Floor, 'encode' | 'decode'> {
  const message = create(SendMessageResponseSchema, {
    id: `msg_${'0'.repeat(32)}`,
    thread: `thr_${'0'.repeat(32)}`,
    from: '@robin.ai-robin',
    to: '@wren.ai-wren',
    fromName: 'Robin',
    text: text.repeat(4),
  });
  const bytes = toBinary(SendMessageResponseSchema, message);
  return {
    encode: perCall(seconds, () => toBinary(SendMessageResponseSchema, message)),
    decode: perCall(seconds, () => fromBinary(SendMessageResponseSchema, bytes)),
  };
}

async function grpc(seconds: number): Promise<number> {
  const echo = await startEcho();
  const bytes = randomBytes(300);
  const measured = await perOperation({ inFlight: 16, seconds }, () => echo.call(bytes));
  echo.stop();
  return measured.cpuUs;
}

type PostgresFloor = Pick<Floor, 'insert' | 'insertBatched' | 'select' | 'selectBatched'>;

async function postgres(seconds: number, servers: Servers): Promise<PostgresFloor> {
  const bare = await barePostgres(servers.postgresUrl, 10);
  const pids = servers.pids().filter(({ name }) => name === 'postgres');
  const measure = async (inFlight: number, each: number, work: () => Promise<void>) =>
    (await perOperation({ pids, inFlight, seconds, each }, work)).cpuUs;
  const floor = {
    insert: await measure(32, 1, () => bare.insert(1)),
    insertBatched: await measure(2, 50, () => bare.insert(50)),
    select: await measure(32, 1, () => bare.select(1)),
    selectBatched: await measure(2, 50, () => bare.select(50)),
  };
  await bare.close();
  return floor;
}

async function nats(
  seconds: number,
  servers: Servers,
): Promise<Pick<Floor, 'natsPublish' | 'jetstreamPublish'>> {
  const connection = await connect({ servers: servers.natsUrl });
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: 'FLOOR', subjects: ['floor.>'] });
  const stream = jetstream(connection);
  const bytes = randomBytes(300);
  const pids = servers.pids().filter(({ name }) => name === 'nats-server');
  const core = await perOperation({ pids, inFlight: 1, seconds, each: 64 }, async () => {
    for (let number = 0; number < 64; number += 1) connection.publish('bare', bytes);
    await connection.flush();
  });
  const stored = await perOperation({ pids, inFlight: 64, seconds }, () => stream.publish('floor.a', bytes));
  await connection.close();
  return { natsPublish: core.cpuUs, jetstreamPublish: stored.cpuUs };
}

async function redis(seconds: number, servers: Servers): Promise<number> {
  const client = createClient({ url: servers.redisUrl });
  await client.connect();
  const pids = servers.pids().filter(({ name }) => name === 'redis-server');
  const measured = await perOperation({ pids, inFlight: 64, seconds }, () => client.incr('floor'));
  client.destroy();
  return measured.cpuUs;
}
