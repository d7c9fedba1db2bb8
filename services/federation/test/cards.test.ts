import type { IncomingMessage } from 'node:http';
import { create } from '@bufbuild/protobuf';
import { manualClock } from '@hearth/clock';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import { HomePolicy, HomesService } from '@hearth/proto/federation/v1/homes';
import { HomeQuestionsService } from '@hearth/proto/federation/v1/items';
import { CallerKind } from '@hearth/proto/options';
import { signRecord } from '@hearth/signing';
import { failure, ids } from '@hearth/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { keyOf, listedKey, type OtherHome, startOtherHome } from './other-home.ts';
import { startFederation, type TestFederation } from './start-federation.ts';

const clock = manualClock('2026-03-01T12:00:00.000Z');
const [key, foreign] = [keyOf(1), keyOf(2)];
let other: OtherHome;
let service: TestFederation;
let asked: IncomingMessage[] = [];

beforeAll(async () => {
  other = await startOtherHome(clock);
  other.lists([listedKey(key, clock)], [key]);
  service = await startFederation({ clock, env: { HEARTH_DEV_HOMES: other.name } });
});
afterAll(async () => {
  await service.stop();
  await other.stop();
});
beforeEach(() => {
  asked = [];
});

const iso = (ms: number) => new Date(clock.now() + ms).toISOString();
const hour = 3_600_000;
let made = 0;
const newAddress = () => {
  made += 1;
  return `wren${made}@${other.name}`;
};

function cardOf(more: object = {}, by = key) {
  const { home, times } = { home: other.name, times: { issued_at: iso(0), valid_until: iso(24 * hour) } };
  const card = { v: 1, type: 'card', home, address: '@wren', name: 'Wren', ...times, ...more };
  return signRecord(card, { key: by, typ: 'svc-card+jws' });
}

/** Sets the next answers of the other home, except to requests for its document. */
function answers(status: number, body: object = {}, headers: Record<string, string> = {}) {
  other.answers((request, response) => {
    if (request.url === '/.well-known/service.json') return response.end(JSON.stringify(other.document()));
    asked.push(request);
    return response.writeHead(status, headers).end(status === 304 ? undefined : JSON.stringify(body));
  });
}

const fetchCard = async (address: string) =>
  JSON.parse((await service.client(HomeQuestionsService).fetchHomeCard({ address })).json);
const refusal = (address = newAddress()) => failure(fetchCard(address));

test('a card is fetched by a signed request, cached as long as it says, and revalidated by its ETag', async () => {
  const address = newAddress();
  const card = cardOf();
  // Its document may have changed the stored one.
  answers(200, card);
  await fetchCard(newAddress());
  asked = [];
  answers(200, card, { etag: '"one"', 'cache-control': 'private, max-age=60' });
  expect(await fetchCard(address)).toEqual(card);
  expect(asked[0]!.url).toBe(`/federation/cards/%40${address.split('@')[0]}`);
  expect(asked[0]!.headers['signature-input']).toContain('"@target-uri"');
  expect(await fetchCard(address)).toEqual(card);
  expect(asked).toHaveLength(1);
  clock.advance(61_000);
  answers(304);
  expect(await fetchCard(address)).toEqual(card);
  expect(asked[1]!.headers['if-none-match']).toBe('"one"');
  expect(await fetchCard(address)).toEqual(card);
  expect(asked).toHaveLength(2);
});

test('concurrent lookups cause one request', async () => {
  const address = newAddress();
  answers(200, cardOf());
  await Promise.all(Array.from({ length: 5 }, () => fetchCard(address)));
  expect(asked).toHaveLength(1);
});

test('a missing card is cached for a minute', async () => {
  const address = newAddress();
  answers(404, { code: 'not_found' });
  expect(await refusal(address)).toBe('not_found not_found');
  expect(await refusal(address)).toBe('not_found not_found');
  expect(asked).toHaveLength(1);
  clock.advance(61_000);
  answers(200, cardOf());
  expect(await fetchCard(address)).toMatchObject({ name: 'Wren' });
});

test('a card with a wrong signature, of another home or expired is not shown', async () => {
  for (const card of [
    cardOf({}, foreign),
    cardOf({ home: 'c.example' }),
    cardOf({ address: 'wren@c.example' }),
    cardOf({ type: 'record' }),
    cardOf({ valid_until: iso(-1) }),
    cardOf({ issued_at: iso(hour) }),
    { ...cardOf(), name: 'Robin' },
    { ...cardOf(), signature: undefined },
    { ...cardOf(), filler: 'x'.repeat(20_000) },
    [],
  ]) {
    answers(200, card);
    expect(await refusal()).toBe('unavailable home_unreachable');
    answers(200, cardOf());
    await fetchCard(newAddress());
  }
});

test('every refusal by the other home has its own error', async () => {
  for (const [status, code, words] of [
    [403, 'forbidden home_denied', /does not talk with this home/],
    [401, 'unavailable home_unreachable', /hearth home check localhost/],
    [429, 'unavailable home_unreachable', /asked too often/],
    [418, 'unavailable home_unreachable', /status 418/],
  ] as const) {
    answers(status);
    expect(await refusal()).toBe(code);
    await expect(fetchCard(newAddress())).rejects.toThrow(words);
  }
  expect(await refusal('@ana')).toBe('bad_request bad_field address');
  expect(await refusal('ana@home.local')).toBe('unavailable home_unreachable');
});

test('a caller may look up a few unknown homes an hour, and known homes without a limit', async () => {
  const newAi = () => create(CallerSchema, { kind: CallerKind.AI, id: ids.uuid() });
  const [robin, wren] = [newAi(), newAi()];
  const cards = service.client(HomeQuestionsService);
  const asking = (caller: typeof robin, address: string) =>
    failure(cards.fetchHomeCard({ address }, { caller }));
  // A name that cannot exist: it is never resolved.
  for (let n = 0; n < 20; n += 1)
    expect(await asking(robin, `ana@n${Math.floor(n / 2)}.invalid`)).toMatch(/^unavailable/);
  expect(await asking(robin, 'ana@n10.invalid')).toMatch(/^rate_limited/);
  expect(await asking(wren, 'ana@n10.invalid')).toMatch(/^unavailable/);
  answers(200, cardOf());
  await cards.fetchHomeCard({ address: newAddress() }, { caller: robin });
});

test('nothing is shown of a blocked home, even from the cache', async () => {
  const address = newAddress();
  answers(200, cardOf());
  await fetchCard(address);
  const homes = service.client(HomesService);
  await homes.setHomePolicy({ home: other.name, mode: HomePolicy.DENIED });
  expect(await refusal(address)).toBe('forbidden home_denied');
  await homes.setHomePolicy({ home: other.name, mode: HomePolicy.UNSET });
  expect(await fetchCard(address)).toMatchObject({ name: 'Wren' });
  expect(asked).toHaveLength(2);
});
