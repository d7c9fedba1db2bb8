import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { systemClock } from '@hearth/clock';
import { identity } from '@hearth/identity';
import { BatchRequestSchema, CallsRequestSchema, CallsResponseSchema } from '@hearth/proto/batch/v1/batch';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import { IdentityService, ResolveCredentialRequestSchema } from '@hearth/proto/identity/v1/identity';
import { CallerKind } from '@hearth/proto/options';
import { createClient } from '@hearth/rpc';
import { createRemoteChannel } from '@hearth/rpc/grpc';
import { startHome } from '@hearth/runtime';
import { createLogger } from '@hearth/telemetry';
import { createMigratedDatabase } from '@hearth/testkit/migrated-database';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';

/** The port on which a separately running service answers its peers, from an attacker's view. */

const secret = randomBytes(24).toString('base64url');
const resolve = '/hearth.identity.v1.IdentityService/ResolveCredential';
const batch = '/hearth.batch.v1.BatchService/Batch';
const lines: string[] = [];

const database = await createMigratedDatabase([identity]);
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
    PEER_DECISIONS: nowhere,
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

/** Without the calls of jobs and consumers that run meanwhile. */
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

const principalOf = (kind: CallerKind) =>
  Buffer.from(toBinary(CallerSchema, create(CallerSchema, { kind, id: 'one' })));
const operator = principalOf(CallerKind.OPERATOR);
const asked = toBinary(
  ResolveCredentialRequestSchema,
  create(ResolveCredentialRequestSchema, { hash: randomBytes(32) }),
);

interface Claim {
  service?: string;
  peer?: string;
  principal?: Buffer;
  at?: number;
  key?: Buffer;
  provenPath?: string;
  provenPrincipal?: Buffer;
}

const keyOf = (caller: string, peer: string, from = secret) =>
  Buffer.from(hkdfSync('sha256', from, '', `hearth peers ${caller} ${peer}`, 32));

/** The headers that a service sends, built here independently with platform functions. */
function headersOf(path: string, request: Uint8Array, claim: Claim = {}): Record<string, string | Buffer> {
  const { service = 'gateway', peer = 'identity', principal = operator, at = Date.now() } = claim;
  const times = Buffer.alloc(16);
  times.writeDoubleBE(at, 0);
  times.writeDoubleBE(at + 5_000, 8);
  const said = Buffer.concat([times, createHash('sha256').update(request).digest()]);
  const mac = createHmac('sha256', claim.key ?? keyOf(service, peer))
    .update(`${claim.provenPath ?? path}\0`)
    .update(said)
    .update(claim.provenPrincipal ?? principal)
    .digest();
  return {
    'hearth-service': service,
    'hearth-peer': peer,
    'hearth-caller-bin': principal,
    'hearth-proof-bin': Buffer.concat([said, mac]),
  };
}

const batched = (method: string, calls = 1) =>
  toBinary(
    BatchRequestSchema,
    create(BatchRequestSchema, {
      calls: Array.from({ length: calls }, () => ({ method, request: asked, timeoutMs: 1_000 })),
    }),
  );

describe("without a service's proof", () => {
  const whole = headersOf(resolve, asked);
  const proof = whole['hearth-proof-bin'] as Buffer;
  const without = (name: string) => Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name));
  const wrong: [string, (path: string, request: Uint8Array) => Record<string, string | Buffer>][] = [
    ['nothing', () => ({})],
    ['the secret itself', () => ({ ...without('hearth-proof-bin'), 'hearth-peer-secret': secret })],
    ['no proof', () => without('hearth-proof-bin')],
    ['an empty one', () => ({ ...whole, 'hearth-proof-bin': Buffer.alloc(0) })],
    ['one of zeros', () => ({ ...whole, 'hearth-proof-bin': Buffer.alloc(80) })],
    ['the beginning of one', () => ({ ...whole, 'hearth-proof-bin': proof.subarray(0, -1) })],
    [
      'one by another secret',
      (...call) => headersOf(...call, { key: keyOf('gateway', 'identity', 'x'.repeat(32)) }),
    ],
    ['one by the bare secret', (...call) => headersOf(...call, { key: Buffer.from(secret) })],
    ['the key of another caller', (...call) => headersOf(...call, { key: keyOf('messages', 'identity') })],
    ['the key to another peer', (...call) => headersOf(...call, { key: keyOf('gateway', 'groups') })],
    ['what another peer was sent', (...call) => headersOf(...call, { peer: 'groups' })],
    ['a name that no service has', (...call) => headersOf(...call, { service: '__proto__' })],
    ['another method', (path, request) => headersOf(path, request, { provenPath: '/hearth/Another' })],
    ['another principal', (...call) => headersOf(...call, { provenPrincipal: principalOf(CallerKind.AI) })],
    ['another request', (path) => headersOf(path, Buffer.from('another'))],
    ['a call of two minutes ago', (...call) => headersOf(...call, { at: Date.now() - 120_000 })],
    ['a call of the future', (...call) => headersOf(...call, { at: Date.now() + 120_000 })],
    ['no time', (...call) => headersOf(...call, { at: Number.NaN })],
  ];
  test.each(wrong)('with %s instead, no call is answered', async (_, headers) => {
    for (const [path, request] of [
      [resolve, asked],
      ['/hearth.identity.v1.IdentityService/SignUp', new Uint8Array()],
      [batch, batched(resolve)],
    ] as const) {
      const outcome = await call(path, request, headers(path, request));
      expect(outcome).toMatchObject({ code: status.UNAUTHENTICATED, bytes: undefined });
    }
    expect(linesOfCalls()).toEqual([]);
  });

  test('no part of a request is awaited', async () => {
    const session = connect(`http://127.0.0.1:${home.grpcPort}`);
    const request = session.request({
      ':method': 'POST',
      ':path': resolve,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    // The header of a 20 MB message, and its beginning.
    request.write(Buffer.concat([Buffer.from([0, 1, 0x31, 0x2d, 0]), Buffer.alloc(1_000)]));
    const [headers] = await once(request, 'response');
    expect(headers['grpc-status']).toBe(`${status.UNAUTHENTICATED}`);
    session.destroy();
  });

  test('public health checks and declarations are answered, for short requests', async () => {
    expect((await call('/grpc.health.v1.Health/Check', new Uint8Array(), {})).code).toBe(status.OK);
    const long = await call('/grpc.health.v1.Health/Check', new Uint8Array(20_000), {});
    expect(long.code).toBe(status.RESOURCE_EXHAUSTED);
  });
});

describe("with a service's proof", () => {
  const as = (claim: Claim, path: string, request: Uint8Array) =>
    call(path, request, headersOf(path, request, claim));

  test('the gateway is answered', async () => {
    expect((await as({}, resolve, asked)).code).toBe(status.OK);
    expect((await as({}, batch, batched(resolve))).code).toBe(status.OK);
  });

  test.each(['messages', 'delivery'])(
    'the service "%s" may not do what only the gateway may',
    async (service) => {
      expect((await as({ service }, resolve, asked)).code).toBe(status.PERMISSION_DENIED);
    },
  );

  test.each([
    ['FindPeople', CallerKind.PERSON, status.PERMISSION_DENIED],
    ['FindPeople', CallerKind.ANONYMOUS, status.OK],
    ['CreateGuest', CallerKind.OPERATOR, status.PERMISSION_DENIED],
    // Refused because of the request, not the caller.
    ['CreateGuest', CallerKind.APP, status.INVALID_ARGUMENT],
  ])('another service calls %s for a principal of kind %i as declared', async (rpc, kind, code) => {
    const path = `/hearth.identity.v1.PeopleService/${rpc}`;
    const principal = principalOf(kind);
    expect((await as({ service: 'groups', principal }, path, new Uint8Array())).code).toBe(code);
  });

  test('a batch may not contain batches, nor unknown methods', async () => {
    for (const method of [batch, '/nowhere', '__proto__', '']) {
      const outcome = await as({}, batch, batched(method));
      expect(outcome.code).toBe(status.OK);
      expect(outcome.bytes!.toString('latin1')).not.toMatch(/\.ts|node_modules/);
    }
  });

  test('malformed bytes end only their own call', async () => {
    for (const principal of [operator, Buffer.from('ffffffff', 'hex')]) {
      for (const bytes of ['ff', '0aff', `0a${'ff'.repeat(9)}7f`, '0b'.repeat(500)]) {
        const outcome = await as({ principal }, resolve, Buffer.from(bytes, 'hex'));
        expect([status.INTERNAL, status.INVALID_ARGUMENT]).toContain(outcome.code);
        expect(outcome.details).toBe('internal');
      }
    }
    expect((await as({}, resolve, asked)).code).toBe(status.OK);
  });

  test('an oversized message is refused before it is read', async () => {
    const outcome = await as({}, resolve, new Uint8Array(33 * 1024 * 1024));
    expect(outcome.code).toBe(status.RESOURCE_EXHAUSTED);
  });
});

describe('over a stream of calls', () => {
  const calls = '/hearth.batch.v1.BatchService/Calls';
  const nothing = new Uint8Array();

  /** The frame of a call, with the proof from `headers`. */
  function frameOf(
    headers: Record<string, string | Buffer>,
    path = resolve,
    request = asked,
    id = 1,
  ): Buffer {
    return Buffer.from(
      toBinary(
        CallsRequestSchema,
        create(CallsRequestSchema, {
          ...{ id, method: path, request },
          caller: headers['hearth-caller-bin'] as Buffer,
          proof: headers['hearth-proof-bin'] as Buffer,
        }),
      ),
    );
  }

  /** Opens a stream, writes frames, and returns what came back and how it ended. */
  function stream(headers: Record<string, string | Buffer>, frames: readonly Buffer[]) {
    const metadata = new Metadata();
    for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
    const asIs = (bytes: Uint8Array) => Buffer.from(bytes);
    const opened = client.makeBidiStreamRequest(calls, asIs, asIs, metadata, {
      deadline: Date.now() + 5_000,
    });
    const answers: number[] = [];
    return new Promise<{ code: number; answers: number[] }>((done) => {
      opened.on('data', (bytes: Buffer) => answers.push(fromBinary(CallsResponseSchema, bytes).id));
      opened.on('error', () => {});
      opened.on('status', ({ code }) => done({ code, answers }));
      for (const frame of frames) opened.write(frame);
      opened.end();
    });
  }

  const opening = () => headersOf(calls, nothing);
  const good = (id: number) => frameOf(headersOf(resolve, asked), resolve, asked, id);

  test('each call is answered by its own proof', async () => {
    const { code, answers } = await stream(opening(), [good(1), good(2), good(3)]);
    expect({ code, answers: answers.toSorted() }).toEqual({ code: status.OK, answers: [1, 2, 3] });
  });

  test("without a service's proof no call is read", async () => {
    for (const headers of [{}, headersOf(calls, nothing, { key: keyOf('messages', 'identity') })])
      expect(await stream(headers, [good(1)])).toEqual({ code: status.UNAUTHENTICATED, answers: [] });
    expect(linesOfCalls()).toEqual([]);
  });

  test.each<[string, () => Buffer]>([
    [
      'a call without a proof',
      () => frameOf({ ...headersOf(resolve, asked), 'hearth-proof-bin': Buffer.alloc(0) }),
    ],
    ['the proof of the stream', () => frameOf(opening())],
    ['the proof of another request', () => frameOf(headersOf(resolve, Buffer.from('another')))],
    [
      'the proof of another method',
      () => frameOf(headersOf(resolve, asked, { provenPath: '/hearth/Another' })),
    ],
    [
      'another principal',
      () => frameOf(headersOf(resolve, asked, { provenPrincipal: principalOf(CallerKind.AI) })),
    ],
    ['the proof of another service', () => frameOf(headersOf(resolve, asked, { service: 'groups' }))],
    ['a call of two minutes ago', () => frameOf(headersOf(resolve, asked, { at: Date.now() - 120_000 }))],
    ['bytes that are no frame', () => Buffer.from('0aff', 'hex')],
  ])('%s ends the stream without any effect', async (_, frame) => {
    const outcome = await stream(opening(), [frame()]);
    expect(outcome).toEqual({ code: status.UNAUTHENTICATED, answers: [] });
    expect(linesOfCalls()).toEqual([]);
    expect((await stream(opening(), [good(1)])).answers).toEqual([1]);
  });
});

test('a service with the wrong secret is told so, and its caller that the home is unavailable', async () => {
  const address = `127.0.0.1:${home.grpcPort}`;
  const told: string[] = [];
  const channel = createRemoteChannel({
    address,
    service: 'gateway',
    onRefused: (words) => told.push(words),
    peer: 'identity',
    secret: 'w'.repeat(20),
    clock: systemClock,
  });
  const stranger = createClient(IdentityService, { channel, service: 'gateway', clock: systemClock });
  await expect(stranger.resolveCredential({ hash: randomBytes(32) })).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.not.stringContaining('HEARTH_PEER_SECRET'),
  });
  expect(told).toEqual([expect.stringContaining('HEARTH_PEER_SECRET must be the same')]);
  await channel.close();
});
