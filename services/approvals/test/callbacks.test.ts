import { createPublicKey, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AnswerDecision } from '@hearth/proto/approvals/v1/approvals';
import { exportPublicJwk, verifyRecord } from '@hearth/signing';
import { eventually } from '@hearth/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { as, startApprovals, type TestApprovals, uuidOf } from './start-approvals.ts';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

let home: TestApprovals;
let server: Server;
let url: string;
let received: Received[];
/** The answers of the server, in turn; then 200. */
let answers: { status: number; headers?: Record<string, string>; body?: string }[];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      const { status, headers = {}, body: words = '' } = answers.shift() ?? { status: 200 };
      response.writeHead(status, headers).end(words);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  url = `${origin}/hook`;
  home = await startApprovals({ HEARTH_DEV_CALLBACKS: origin });
});
afterAll(async () => {
  await home.stop();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  received = [];
  answers = [];
});

const second = 1_000;

async function settle(decision = AnswerDecision.APPROVED) {
  const person = home.newPerson();
  const ai = home.newAi(person);
  const asked = await home.ask(ai, { to: [`@${person.handle}`], callback: url });
  const settled = await home.client.replyApproval({ id: asked.id, decision }, { caller: as(person) });
  return { asked, settled, ai };
}

const rowOf = async (id: string) =>
  await home.database.db.one<{
    status: string;
    attempts: number;
    last_status: number | null;
    last_error: string | null;
  }>({
    text: `select status, attempts, last_status, last_error from approvals.callbacks where approval = $1`,
    values: [uuidOf(id)],
  });

describe('a callback', () => {
  test('brings the settled approval with its signed answer, signed by the home alone', async () => {
    const { asked } = await settle();
    await eventually(() => received.length === 1);
    const [{ headers, body }] = received as [Received];
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': asked.id,
      'webhook-timestamp': String(home.clock.now() / second),
    });
    const [version, signature] = String(headers['webhook-signature']).split(',');
    expect(version).toBe('v1a');
    const key = createPublicKey({
      key: { ...exportPublicJwk(home.world.signer.key) } as never,
      format: 'jwk',
    });
    const signed = Buffer.from(`${asked.id}.${headers['webhook-timestamp']}.${body}`);
    expect(verify(null, signed, key, Buffer.from(signature!, 'base64'))).toBe(true);

    const approval = JSON.parse(body);
    expect(approval).toMatchObject({
      id: asked.id,
      status: 'approved',
      title: 'May I?',
      people: [{ decision: 'approved' }],
    });
    const verification = verifyRecord(approval.signed_answer, {
      expectedType: 'svc-record+jws',
      findKey: () => ({ ...exportPublicJwk(home.world.signer.key), status: 'active' }),
    });
    expect(verification.valid).toBe(true);
    await eventually(async () => (await rowOf(asked.id)).status === 'delivered');
    home.clock.advance(3_600_000);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(received).toHaveLength(1);
  });

  test('is sent when it is taken back too', async () => {
    const person = home.newPerson();
    const ai = home.newAi(person);
    const { id } = await home.ask(ai, { to: [`@${person.handle}`], callback: url });
    await home.client.cancelApproval({ id }, { caller: ai });
    await eventually(() => received.length === 1);
    expect(JSON.parse(received[0]!.body)).toMatchObject({
      status: 'cancelled',
      signed_answer: { status: 'cancelled' },
    });
  });

  test.each([
    ['an error', { status: 500 }],
    ['a redirection', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    ['not found', { status: 404 }],
  ])(
    'that is answered with %s comes again, the same, after 5 seconds and 5 minutes',
    async (_, answer) => {
      answers = [answer, answer];
      const { asked } = await settle();
      await eventually(async () => (await rowOf(asked.id)).attempts === 1);
      expect(await rowOf(asked.id)).toMatchObject({
        status: 'waiting',
        last_status: answer.status,
        last_error: 'status',
      });
      home.clock.advance(4 * second);
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      expect(received).toHaveLength(1);
      home.clock.advance(2 * second);
      await eventually(async () => (await rowOf(asked.id)).attempts === 2);
      home.clock.advance(6 * 60 * second);
      await eventually(async () => (await rowOf(asked.id)).status === 'delivered');
      expect(new Set(received.map(({ body }) => body)).size).toBe(1);
      expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      expect(new Set(received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(3);
    },
    15_000,
  );

  test('keeps to Retry-After, and ends where the address is gone', async () => {
    answers = [{ status: 503, headers: { 'retry-after': '120' } }, { status: 410 }];
    const { asked } = await settle();
    await eventually(async () => (await rowOf(asked.id)).attempts === 1);
    home.clock.advance(60 * second);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(received).toHaveLength(1);
    home.clock.advance(61 * second);
    await eventually(async () => (await rowOf(asked.id)).status === 'given_up');
    expect(received).toHaveLength(2);
  }, 15_000);

  test('of a large answer with a good status has arrived', async () => {
    answers = [{ status: 200, body: 'x'.repeat(200_000) }];
    const { asked } = await settle();
    await eventually(async () => (await rowOf(asked.id)).status === 'delivered');
  });

  test('that a process had in hand when it died is sent by the next one', async () => {
    answers = [{ status: 500 }];
    const { asked } = await settle();
    await eventually(async () => (await rowOf(asked.id)).attempts === 1);
    // As the claim of a process that died leaves it: ahead by the lease, without a result.
    await home.database.statement((tx) =>
      tx.execute({
        text: `update approvals.callbacks set next_at = $2 where approval = $1`,
        values: [uuidOf(asked.id), new Date(home.clock.now() + 60 * second)],
      }),
    );
    home.clock.advance(30 * second);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(received).toHaveLength(1);
    home.clock.advance(31 * second);
    await eventually(async () => (await rowOf(asked.id)).status === 'delivered');
    expect(received).toHaveLength(2);
  }, 15_000);

  test('is no attempt while the home cannot sign', async () => {
    const person = home.newPerson();
    const ai = home.newAi(person);
    const { id } = await home.ask(ai, { to: [`@${person.handle}`], callback: url });
    home.peers.away('federation');
    await home.client.replyApproval({ id, decision: AnswerDecision.APPROVED }, { caller: as(person) });
    home.clock.advance(10 * second);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(received).toHaveLength(0);
    home.peers.back('federation');
    home.clock.advance(40 * second);
    await eventually(() => received.length === 1);
    expect((await home.client.getApproval({ id }, { caller: ai })).signedAnswer).toBeDefined();
  }, 15_000);

  test('two hundred at once arrive, each once', async () => {
    const settled = await Promise.all(Array.from({ length: 200 }, () => settle()));
    await eventually(() => received.length >= 200);
    const ids = received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids)).toEqual(new Set(settled.map(({ asked }) => asked.id)));
    expect(ids).toHaveLength(200);
  }, 20_000);
});
