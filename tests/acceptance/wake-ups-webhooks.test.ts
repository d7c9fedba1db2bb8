import { verify } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@hearth/testkit/eventually';
import {
  type ApiClient,
  apiClient,
  createHomeDatabase,
  type StartedHome,
  startHomeInProcesses,
  topologyOf,
} from '@hearth/testkit/home';
import { receivedProblem } from '@hearth/webhooks';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { importJWK } from 'jose';
import { Webhook } from 'standardwebhooks';
import { expectStatus } from '../support/home.ts';

// An AI with a webhook, checked as an outsider would: with other people's verifiers and the home's published keys.

interface Arrived {
  headers: Record<string, string>;
  raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
  body: any;
}

interface Ai extends ApiClient {
  address: string;
}

let databaseFor: Awaited<ReturnType<typeof createHomeDatabase>>;
let home: StartedHome;
let server: Server;
let address: string;
const arrived: Arrived[] = [];
/** How the address answers a challenge. */
let answerOf = (challenge: string): object => ({ challenge });

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString();
      const body = JSON.parse(raw);
      arrived.push({ headers: request.headers as Record<string, string>, raw, body });
      response.writeHead(200).end(JSON.stringify(answerOf(body.challenge)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  databaseFor = await createHomeDatabase();
  home = await startHomeInProcesses({
    topology: topologyOf(process.env),
    replicas: 1,
    databaseUrl: databaseFor.url,
    env: { HEARTH_DEV_CALLBACKS: address, HEARTH_LIMITS: 'relaxed' },
  });
}, 240_000);
afterAll(async () => {
  await home?.stop();
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
  await databaseFor?.drop();
}, 240_000);

async function newAi(name: string): Promise<Ai> {
  const { body } = expectStatus(await apiClient(home.urls).post('/v0/agents', { name }), 201);
  return { ...apiClient(home.urls, body.connector_key), address: body.address };
}

const newSecret = () => `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;
const wokenBy = (id: string) => arrived.filter(({ body }) => body.data?.message_id === id);
const subscribing = (path: string, secret: string) => ({
  name: 'message.direct',
  url: address + path,
  secret,
});

async function write(from: Ai, to: Ai, text: string): Promise<string> {
  return expectStatus(await from.post('/v0/messages', { to: to.address, text }), 201).body.id;
}

async function arrives(id: string): Promise<Arrived> {
  const [first] = await eventually(
    async () => wokenBy(id),
    (found) => found.length > 0,
  );
  return first!;
}

/** Verifies `v1a` with the home's key from its JWK set. */
async function isOfTheHome({ headers, raw }: Arrived): Promise<boolean> {
  const { body } = await apiClient(home.urls).get('/.well-known/mcp-webhook-jwks.json');
  const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`);
  const signatures = headers['webhook-signature']!.split(' ').filter((word) => word.startsWith('v1a,'));
  expect(signatures).toHaveLength(1);
  const signature = Buffer.from(signatures[0]!.slice('v1a,'.length), 'base64');
  const keys = await Promise.all(body.keys.map((key: object) => importJWK(key, 'EdDSA')));
  return keys.some((key) => verify(null, signed, key, signature));
}

test('an AI is woken at its URL, signed with its secret and by the home', async () => {
  const [robin, sparrow] = [await newAi('Robin'), await newAi('Sparrow')];
  const secret = newSecret();
  const made = expectStatus(
    await robin.post('/v0/ais/me/subscriptions', subscribing('/robin', secret)),
    200,
  ).body;
  expect(made).toMatchObject({ name: 'message.direct', truncated: false, deliveryStatus: { active: true } });
  const inAWeek = Date.parse(made.refreshBefore) - Date.now();
  expect(inAWeek).toBeGreaterThan(6.9 * 86_400_000);
  expect(inAWeek).toBeLessThanOrEqual(7 * 86_400_000 + 5_000);

  const id = await write(sparrow, robin, 'wake up');
  const arrival = await arrives(id);
  expect(arrival.headers).toMatchObject({
    'x-mcp-subscription-id': made.id,
    'webhook-id': arrival.body.eventId,
  });
  expect(arrival.body).toMatchObject({
    name: 'message.direct',
    data: { from: sparrow.address, message_id: id },
  });
  expect(arrival.raw).not.toContain('wake up');
  expect(new Webhook(secret).verify(arrival.raw, arrival.headers)).toEqual(arrival.body);
  expect(await isOfTheHome(arrival)).toBe(true);
  // Valid only for this address, by the home's key from its JWK set.
  expect(arrival.body.to).toBe(subscribing('/robin', secret).url);
  const { keys } = (await apiClient(home.urls).get('/.well-known/mcp-webhook-jwks.json')).body;
  const message = {
    id: arrival.headers['webhook-id']!,
    timestamp: arrival.headers['webhook-timestamp']!,
    signature: arrival.headers['webhook-signature']!,
    body: arrival.raw,
  };
  const unixSeconds = Number(message.timestamp);
  expect(receivedProblem(message, { to: arrival.body.to, unixSeconds, keys })).toBeNull();
  expect(receivedProblem(message, { to: `${arrival.body.to}/other`, unixSeconds, keys })).toContain(
    'another receiver',
  );
  // Polling returns the same event.
  const { events } = expectStatus(await robin.get(`/v0/ais/me/events?cursor=${made.cursor}`), 200).body;
  expect(events.map(({ eventId }: { eventId: string }) => eventId)).toEqual([arrival.body.eventId]);

  const card = await eventually(
    async () => (await newAi('Wren')).get(`/v0/cards/${encodeURIComponent(robin.address)}`),
    ({ body }) => body.reach?.mode === 'wakes',
  );
  expect(card.body.reach.mode).toBe('wakes');

  const next = newSecret();
  const renewed = expectStatus(
    await robin.post('/v0/ais/me/subscriptions', subscribing('/robin', next)),
    200,
  ).body;
  expect(renewed.id).toBe(made.id);
  const another = await arrives(await write(sparrow, robin, 'once more'));
  for (const each of [secret, next]) new Webhook(each).verify(another.raw, another.headers);

  expectStatus(await robin.delete(`/v0/ais/me/subscriptions/${made.id}`), 200);
  const late = await write(sparrow, robin, 'too late');
  await eventually(
    async () => expectStatus(await robin.get(`/v0/ais/me/events?cursor=${made.cursor}`), 200).body.events,
    (found) => found.length === 3,
  );
  expect(wokenBy(late)).toEqual([]);
}, 180_000);

test.each([0, 604_800_001])('a ttl_ms of %i is refused with its bounds', async (ttl_ms) => {
  const robin = await newAi('Robin');
  const asked = { ...subscribing('/robin', newSecret()), ttl_ms };
  const { status, body } = await robin.post('/v0/ais/me/subscriptions', asked);
  expect([status, body.code, body.field]).toEqual([400, 'bad_field', 'ttl_ms']);
  expect(body.error).toContain('1 to 604800000');
});

test('a URL that does not return the challenge is refused', async () => {
  const robin = await newAi('Robin');
  const usual = answerOf;
  answerOf = () => ({ challenge: 'another' });
  try {
    const refused = await robin.post('/v0/ais/me/subscriptions', subscribing('/wrong', newSecret()));
    expect(refused.status).toBe(400);
    expect(refused.body.error).toContain('the callback URL did not return the challenge');
  } finally {
    answerOf = usual;
  }
  expect((await robin.get('/v0/ais/me/subscriptions')).body.subscriptions).toEqual([]);
});
