import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, toBinary } from '@bufbuild/protobuf';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { systemClock } from '@hearth/clock';
import { identity } from '@hearth/identity';
import { BatchRequestSchema } from '@hearth/proto/batch/v1/batch';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import { IdentityService, ResolveCredentialRequestSchema } from '@hearth/proto/identity/v1/identity';
import { CallerKind } from '@hearth/proto/options';
import { createClient, createRemoteChannel } from '@hearth/rpc';
import { startHome } from '@hearth/runtime';
import { createLogger } from '@hearth/telemetry';
import { createTestDatabase } from '@hearth/testkit/postgres';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';

/* The port on which a service that runs apart answers the others, as an attacker finds it. */

const secret = randomBytes(24).toString('base64url');
const resolve = '/hearth.identity.v1.IdentityService/ResolveCredential';
const batch = '/hearth.batch.v1.BatchService/Batch';
const lines: string[] = [];

const database = await createTestDatabase();
const dataFolder = mkdtempSync(join(tmpdir(), 'hearth-grpc-'));
const nowhere = '127.0.0.1:1';
const home = await startHome(
  [identity],
  {
    DATABASE_URL: database.url,
    GRPC_PORT: '0',
    HEARTH_BIND: '127.0.0.1',
    HEARTH_DATA: dataFolder,
    HEARTH_HOME: 'hearth.example',
    HEARTH_OPERATOR_KEY: 'hearth_op_of-the-tests',
    HEARTH_PEER_SECRET: secret,
    HEARTH_SEAL_KEY: randomBytes(32).toString('base64url'),
    HEARTH_SITE_URL: 'https://hearth.example',
    NATS_URL: process.env['HEARTH_TEST_NATS']!,
    PEER_DELIVERY: nowhere,
    PEER_APPROVALS: nowhere,
    PEER_FEDERATION: nowhere,
    PEER_GROUPS: nowhere,
    PEER_MESSAGES: nowhere,
  },
  { log: createLogger({ level: 'info', service: 'test', stream: { write: (line) => lines.push(line) } }) },
);
const client = new Client(`127.0.0.1:${home.grpcPort}`, credentials.createInsecure());
beforeEach(() => {
  lines.length = 0;
});
afterAll(async () => {
  client.close();
  await home.stop();
  await database.drop();
  rmSync(dataFolder, { recursive: true, force: true });
});

/** Without those of jobs and consumers that run meanwhile. */
const linesOfCalls = () => lines.filter((line) => 'method' in JSON.parse(line));

interface Outcome {
  code: number;
  details: string;
  bytes: Buffer | undefined;
}

function call(path: string, request: Uint8Array, headers: Record<string, string | Buffer>): Promise<Outcome> {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  const asIs = (bytes: Uint8Array) => Buffer.from(bytes);
  return new Promise((done) => {
    client.makeUnaryRequest(
      path,
      asIs,
      asIs,
      request,
      metadata,
      { deadline: Date.now() + 5_000 },
      (error, bytes) =>
        done({ code: (error as ServiceError | null)?.code ?? 0, details: error?.details ?? '', bytes }),
    );
  });
}

const operator = Buffer.from(toBinary(CallerSchema, create(CallerSchema, { kind: CallerKind.OPERATOR })));
const asked = toBinary(
  ResolveCredentialRequestSchema,
  create(ResolveCredentialRequestSchema, { hash: randomBytes(32) }),
);
const gateway = { 'hearth-service': 'gateway', 'hearth-caller-bin': operator };
const batched = (method: string) =>
  toBinary(
    BatchRequestSchema,
    create(BatchRequestSchema, { calls: [{ method, request: asked, timeoutMs: 1_000 }] }),
  );

describe('without the secret of the home', () => {
  const wrong: [string, Record<string, string | Buffer>][] = [
    ['nothing', {}],
    ['the name of a service and a caller', gateway],
    ['an empty secret', { ...gateway, 'hearth-peer-secret': '' }],
    ['another of the same length', { ...gateway, 'hearth-peer-secret': 'x'.repeat(secret.length) }],
    ['the beginning of it', { ...gateway, 'hearth-peer-secret': secret.slice(0, -1) }],
    ['more than it', { ...gateway, 'hearth-peer-secret': `${secret}x` }],
    ['it under another name', { ...gateway, authorization: `Bearer ${secret}` }],
    ['the key of the operator', { ...gateway, 'hearth-peer-secret': 'hearth_op_of-the-tests' }],
  ];
  test.each(wrong)('but with %s, nobody is answered', async (_, headers) => {
    for (const [path, request] of [
      [resolve, asked],
      ['/hearth.identity.v1.IdentityService/SignUp', new Uint8Array()],
      [batch, batched(resolve)],
    ] as const) {
      const outcome = await call(path, request, headers);
      expect(outcome).toMatchObject({ code: status.UNAUTHENTICATED, bytes: undefined });
    }
    expect(linesOfCalls()).toEqual([]);
  });

  test('what anybody may know is answered: health and declarations', async () => {
    expect((await call('/grpc.health.v1.Health/Check', new Uint8Array(), {})).code).toBe(status.OK);
  });
});

describe('with the secret', () => {
  const as = (service: string) => ({ ...gateway, 'hearth-service': service, 'hearth-peer-secret': secret });

  test('the gateway is answered', async () => {
    expect((await call(resolve, asked, as('gateway'))).code).toBe(status.OK);
    expect((await call(batch, batched(resolve), as('gateway'))).code).toBe(status.OK);
  });

  test.each(['messages', 'delivery', '', 'GATEWAY', 'gateway,messages', '__proto__'])(
    'the service "%s" may not do what is the gateway\'s',
    async (service) => {
      expect((await call(resolve, asked, as(service))).code).toBe(status.PERMISSION_DENIED);
    },
  );

  test('a batch may not hold batches, nor what is not there', async () => {
    const channel = createRemoteChannel({
      address: `127.0.0.1:${home.grpcPort}`,
      peer: 'identity',
      secret,
      clock: systemClock,
    });
    for (const method of [batch, '/nowhere', '__proto__', '']) {
      const outcome = await call(batch, batched(method), as('gateway'));
      expect(outcome.code).toBe(status.OK);
      expect(outcome.bytes!.toString('latin1')).not.toMatch(/\.ts|node_modules/);
    }
    await channel.close();
  });

  test('bytes that are no message end that call alone', async () => {
    for (const headers of [
      as('gateway'),
      { ...as('gateway'), 'hearth-caller-bin': Buffer.from('ffffffff', 'hex') },
    ]) {
      for (const bytes of ['ff', '0aff', `0a${'ff'.repeat(9)}7f`, '0b'.repeat(500)]) {
        const outcome = await call(resolve, Buffer.from(bytes, 'hex'), headers);
        expect([status.INTERNAL, status.INVALID_ARGUMENT]).toContain(outcome.code);
        expect(outcome.details).toBe('internal');
      }
    }
    expect((await call(resolve, asked, as('gateway'))).code).toBe(status.OK);
  });

  test('a message beyond every bound is refused before it is read', async () => {
    const outcome = await call(resolve, new Uint8Array(33 * 1024 * 1024), as('gateway'));
    expect(outcome.code).toBe(status.RESOURCE_EXHAUSTED);
  });
});

test('a service with the wrong secret is told so, and not that the key of its caller is wrong', async () => {
  const address = `127.0.0.1:${home.grpcPort}`;
  const channel = createRemoteChannel({
    address,
    peer: 'identity',
    secret: 'w'.repeat(20),
    clock: systemClock,
  });
  const stranger = createClient(IdentityService, { channel, service: 'gateway', clock: systemClock });
  await expect(stranger.resolveCredential({ hash: randomBytes(32) })).rejects.toMatchObject({
    kind: 'internal',
    message: expect.stringContaining('HEARTH_PEER_SECRET'),
  });
  await channel.close();
});
