import { create } from '@bufbuild/protobuf';
import { HearthError, notFound } from '@hearth/errors';
import { HomeRequestsService, type ServeHomeRequestRequest } from '@hearth/proto/federation/v1/items';
import { InviteState, InvitesService } from '@hearth/proto/groups/v1/invites';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { CardKind, CardSchema } from '@hearth/proto/identity/v1/resources';
import type { Caller } from '@hearth/rpc';
import { fake } from '@hearth/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from './support/test-gateway.ts';

type Served = Awaited<ReturnType<NonNullable<Parameters<typeof fakeRequests>[0]>>>;
function fakeRequests(serve: (request: ServeHomeRequestRequest) => Promise<object>) {
  return fake(HomeRequestsService, { serveHomeRequest: serve as never });
}

const headers = [{ name: 'home-doc', value: '7' }];
let gateway: TestGateway;
let served: Served = {};
let requests: ServeHomeRequestRequest[] = [];
let viewers: Caller[] = [];
let card: () => object = () => ({});

beforeAll(async () => {
  gateway = await startTestGateway({
    env: { HEARTH_LIMITS: JSON.stringify({ wrong_codes_a_minute: 2 }) },
    fakes: [
      fakeRequests(async (request) => {
        requests.push(request);
        return { headers, ...served };
      }),
      fake(IdentityService, {
        findProfiles: async ({ addresses }) => ({
          results: addresses.map((address) =>
            address.startsWith('known')
              ? { profile: { id: 'p', address, person: true, home: 'b.example' } }
              : {},
          ),
        }),
      }),
      fake(InvitesService, {
        peekInvite: async ({ code }, { caller }) => {
          viewers.push(caller);
          return code === 'right'
            ? { state: InviteState.OK, groupName: 'Club', home: 'localhost:8080' }
            : { state: InviteState.INVALID, home: 'localhost:8080' };
        },
      }),
    ],
    profile: {
      getCard: async (_, { caller }) => {
        viewers.push(caller);
        return card() as never;
      },
    },
  });
});
afterAll(() => gateway.stop());

async function ask(method: string, path: string, { body, ...more }: RequestInit = {}) {
  [requests, viewers] = [[], []];
  const answer = await fetch(`${gateway.url}/federation${path}`, { method, ...more, ...(body && { body }) });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
}
const wants = (address: string, viewer = '') => ({
  gathered: { case: 'card', value: { home: 'b.example', address, for: viewer } },
});

test('a request goes to federation unchanged, and its answer back', async () => {
  served = { status: 409, body: Buffer.from('{"code":"out_of_step"}'), headers };
  const answer = await ask('POST', '/inbox?x=%2f', {
    body: '{"a": 1}',
    headers: { 'Home-Origin': 'b.example' },
  });
  expect([answer.status, answer.body]).toEqual([409, { code: 'out_of_step' }]);
  expect(answer.headers.get('home-doc')).toBe('7');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const [request] = requests;
  expect(request).toMatchObject({ method: 'POST', path: '/inbox?x=%2f', network: '127.0.0.0/24' });
  expect(Buffer.from(request!.body).toString()).toBe('{"a": 1}');
  expect(request!.headers).toContainEqual(
    expect.objectContaining({ name: 'home-origin', value: 'b.example' }),
  );
});

test('a compressed request is refused, and one that is too large is 413', async () => {
  await ask('POST', '/inbox', { body: 'zip', headers: { 'content-encoding': 'gzip' } });
  expect(requests[0]!.body).toHaveLength(0);
  expect((await ask('POST', '/inbox', { body: 'x'.repeat(262_145) })).status).toBe(413);
  expect(requests).toEqual([]);
});

test('a card depends on its viewer, and has an ETag', async () => {
  card = () => create(CardSchema, { v: 1, type: 'card', kind: CardKind.AI, address: '@ana.ai-x', name: 'X' });
  served = wants('@ana.ai-x');
  const stranger = await ask('GET', '/cards/%40ana.ai-x');
  expect([stranger.status, stranger.body.name]).toEqual([200, 'X']);
  expect(stranger.headers.get('cache-control')).toBe('private, max-age=300');
  expect(stranger.headers.get('home-doc')).toBe('7');
  expect(viewers[0]).toMatchObject({ home: 'b.example', id: '' });
  const etag = stranger.headers.get('etag')!;
  const again = await ask('GET', '/cards/%40ana.ai-x', { headers: { 'if-none-match': etag } });
  expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, null, etag]);
  served = wants('@ana.ai-x', 'known@b.example');
  await ask('GET', '/cards/%40ana.ai-x');
  expect(viewers[0]).toMatchObject({ id: 'p', address: 'known@b.example', home: 'b.example' });
  served = wants('@ana.ai-x', 'unmet@b.example');
  await ask('GET', '/cards/%40ana.ai-x');
  expect(viewers[0]!.id).toBe('');
});

test('unknown, hidden and shielded cards get the same 404', async () => {
  const bodies = [];
  for (const error of [notFound(), new HearthError('bad_request', 'address: ...', { code: 'bad_field' })]) {
    card = () => {
      throw error;
    };
    served = wants('@ana');
    const { status, body, headers: got } = await ask('GET', '/cards/%40ana');
    expect([status, got.get('home-doc')]).toEqual([404, '7']);
    bodies.push(body);
  }
  expect(bodies[0]).toEqual(bodies[1]);
});

test('an invite is shown by its code; wrong codes are 404 up to a bound, then 429', async () => {
  served = { gathered: { case: 'peek', value: { home: 'b.example', code: 'right' } } };
  const peeked = await ask('POST', '/invites/peek', { body: '{"code":"right"}' });
  expect([peeked.status, peeked.body]).toEqual([
    200,
    { state: 'ok', group_name: 'Club', home: 'localhost:8080', for_ages: [] },
  ]);
  expect(viewers[0]).toMatchObject({ home: 'b.example', network: '127.0.0.0/24' });
  served = { gathered: { case: 'peek', value: { home: 'b.example', code: 'wrong' } } };
  const statuses = [];
  for (let index = 0; index < 3; index += 1) statuses.push((await ask('POST', '/invites/peek')).status);
  expect(statuses).toEqual([404, 404, 429]);
});
