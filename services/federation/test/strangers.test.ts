import { signRequest } from '@hearth/http-signatures';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import { HomePolicy, HomesService } from '@hearth/proto/federation/v1/homes';
import { HomeItemDecision } from '@hearth/proto/federation/v1/items';
import { type JsonObject, signRecord } from '@hearth/signing';
import { eventually } from '@hearth/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { keyOf, listedKey, type OtherHome, startOtherHome } from './other-home.ts';
import { startHomes, type TestHome, type TestHomes } from './start-homes.ts';

/** The traces left by a home that no one here ever wrote to. */

const key = keyOf(1);
const days = 86_400_000;
let homes: TestHomes;
let home: TestHome;
let stranger: OtherHome;
let seq = 0;
let nonces = 0;
let epoch = 0;

beforeAll(async () => {
  homes = await startHomes(async (clock) => {
    stranger = await startOtherHome(clock);
    return [stranger.name];
  });
  home = homes.one;
  stranger.lists([listedKey(key, homes.clock)], [key]);
  epoch = homes.clock.now() / 1_000;
});
afterAll(async () => {
  await homes.stop();
  await stranger.stop();
});
beforeEach(() => home.decides(() => ({ decision: HomeItemDecision.OK })));

type Of = Pick<JsonObject, 'type' | 'body'> & { [member: string]: unknown };

function item({ type, body, ...more }: Of): JsonObject {
  seq += 1;
  const at = homes.clock.now();
  const times = { issued_at: new Date(at), expires_at: new Date(at + 14 * days) };
  const unsigned = {
    ...{ v: 1, type, id: `r:${stranger.name}:it_${epoch}_${seq}`, rev: 1, seq },
    ...{ origin: stranger.name, destination: home.name, body },
    issued_at: times.issued_at.toISOString(),
    expires_at: times.expires_at.toISOString(),
    ...more,
  };
  return signRecord(unsigned, { key, typ: 'svc-envelope+jws' }) as unknown as JsonObject;
}

async function push(items: readonly JsonObject[]): Promise<{ status: number; retryAfter: string | null }> {
  nonces += 1;
  const target = `http://${home.name}/federation/inbox`;
  const body = JSON.stringify({ v: 1, origin: stranger.name, destination: home.name, epoch, items });
  const headers = signRequest(
    { method: 'POST', target, origin: stranger.name, destination: home.name, body: Buffer.from(body) },
    { key, now: homes.clock.now(), nonce: String(nonces).padStart(22, 'C') },
  );
  const answer = await fetch(target, { method: 'POST', headers, body });
  await answer.arrayBuffer();
  if (answer.status !== 200) seq -= items.length;
  return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
}

const act = (): Of => ({
  type: 'act',
  from: `eve@${stranger.name}`,
  sender: { id: 'per_1', kind: 'person', name: 'Eve', name_verified: true, status: 'person' },
  body: {
    ...{ on: `r:${home.name}:apr_${seq}`, operation: 'reply_approval', request: {} },
    ...{ by: 'person', proof: 'tap', via: 'web' },
  },
});
const inVain: (() => Of)[] = [
  () => ({ type: 'erased', body: { id: `r:${stranger.name}:msg_${seq}`, rev: 2 } }),
  () => ({ type: 'notice', body: { kind: 'weather' } }),
  () => ({ type: 'result', body: { act: `r:${home.name}:act_${seq}`, status: 200 } }),
  act,
];
const many = (count: number, of: readonly (() => Of)[]) =>
  Array.from({ length: count }, (_, index) => item(of[index % of.length]!()));

const tables = ['received_items', 'erased_ids', 'sent_items', 'logs', 'destinations', 'homes'] as const;
async function left(): Promise<Record<(typeof tables)[number] | 'bytes', number>> {
  const db = home.service.database.db;
  const counts: Record<string, number> = { bytes: 0 };
  for (const table of tables) {
    const row = await db.one<{ count: number; bytes: number }>({
      text: `select count(*)::int as count, coalesce(sum(pg_column_size(t)), 0)::int as bytes from federation.${table} t`,
    });
    counts[table] = row.count;
    counts['bytes']! += row.bytes;
  }
  return counts as ReturnType<typeof left> extends Promise<infer Counts> ? Counts : never;
}

test('a home with a policy is kept, and its document fetched', async () => {
  stranger.lists([listedKey(key, homes.clock)], [key]);
  await home.service.client(HomesService).setHomePolicy({ home: stranger.name, mode: HomePolicy.ALLOWED });
  [seq, epoch] = [0, homes.clock.now() / 1_000];
  expect((await push([item(inVain[0]!())])).status).toBe(200);
  homes.clock.advance(40 * days);
  const asked = stranger.asked();
  await home.run('purge-items');
  await home.service.runJob('federation: fetch-homes');
  expect(stranger.asked()).toBe(asked + 1);
  expect(await left()).toMatchObject({ erased_ids: 1, homes: 1 });
  await home.service.client(HomesService).setHomePolicy({ home: stranger.name, mode: HomePolicy.UNSET });
});

describe('a home to which nobody here ever wrote', () => {
  test('has its document fetched when it sends a request, and never otherwise', async () => {
    // It was known for 40 days, and the operator no longer has a policy for it.
    await home.service.runJob('federation: fetch-homes');
    stranger.lists([listedKey(key, homes.clock)], [key]);
    [seq, epoch] = [0, homes.clock.now() / 1_000];
    expect((await push([item(inVain[1]!())])).status).toBe(200);
    homes.clock.advance(2 * days);
    const asked = stranger.asked();
    await home.service.runJob('federation: fetch-homes');
    expect([stranger.asked(), (await left()).homes]).toEqual([asked, 1]);
    homes.clock.advance(6 * days);
    await home.service.runJob('federation: fetch-homes');
    expect((await left()).homes).toBe(0);
  });

  test('is forgotten after 30 days even if it sends each day, and may return', async () => {
    stranger.lists([listedKey(key, homes.clock)], [key]);
    const comes = async () => {
      [seq, epoch] = [0, homes.clock.now() / 1_000];
      return (await push([item(inVain[1]!())])).status;
    };
    for (const pause of [0, 6, 6, 6, 6, 5]) {
      homes.clock.advance(pause * days);
      expect(await comes()).toBe(200);
      await home.service.runJob('federation: fetch-homes');
      expect((await left()).homes).toBe(1);
    }
    homes.clock.advance(2 * days);
    await home.service.runJob('federation: fetch-homes');
    expect(await left()).toMatchObject({ homes: 0, logs: 0 });
    expect(await comes()).toBe(200);
  });

  test('pushes 12,000 undeliverable items: at most 1,000 a day are accepted, and little of them is stored', async () => {
    const refused = { status: 404, answerJson: '', errorJson: '{"error":"no","code":"not_found"}' };
    home.decides(({ type }) =>
      type === HomeItemType.ACT
        ? { decision: HomeItemDecision.OK, result: refused }
        : { decision: HomeItemDecision.OK },
    );
    stranger.lists([listedKey(key, homes.clock)], [key]);
    [seq, epoch] = [0, homes.clock.now() / 1_000];
    const before = await left();
    let taken = 0;
    let retryAfter: string | null = null;
    const batches = 12_000 / 200;
    for (let pushed = 0; pushed < batches; pushed += 1) {
      // Once refused, the same bytes suffice: limits are checked before the items.
      const count = pushed < 6 ? 200 : 10;
      const answer = await push(many(count, inVain));
      if (answer.status === 200) taken += count;
      retryAfter = answer.retryAfter ?? retryAfter;
      if (answer.status === 429 && pushed > 6) break;
    }
    expect(taken).toBeLessThanOrEqual(1_000);
    expect(Number(retryAfter)).toBeGreaterThan(0);
    const counts = await left();
    // Acts that a service refused, with their results; and erased ids.
    expect(counts.received_items).toBeLessThanOrEqual(250);
    expect(counts.sent_items).toBeLessThanOrEqual(250);
    // Three in ten of the shorter pushes.
    expect(counts.erased_ids).toBeLessThanOrEqual(300);
    expect(counts.bytes - before.bytes).toBeLessThan(600_000);
  });

  test('is forgotten completely after 30 days', async () => {
    const { db } = home.service.database;
    // It accepted the results.
    await home.service.database.statement((tx) =>
      tx.query({
        text: 'update federation.logs set settled_seq = last_seq, due_at = null where home = $1',
        values: [stranger.name],
      }),
    );
    homes.clock.advance(31 * days);
    await home.run('purge-items');
    await home.service.runJob('federation: fetch-homes');
    for (const table of ['received_items', 'sent_items', 'logs', 'homes'])
      expect(
        await db.query({
          text: `select home from federation.${table} where home = $1`,
          values: [stranger.name],
        }),
      ).toEqual([]);
    await eventually(async () => {
      // A push of results may have been in flight.
      await home.service.runJob('federation: fetch-homes');
      const { logs, destinations, homes: names } = await left();
      return logs + destinations + names === 0;
    });
  });
});

describe('requests of a home to which nobody here ever wrote', () => {
  /** Runs with homes, and a stranger, that no other test used. */
  async function afresh(limits: object, work: () => Promise<void>): Promise<void> {
    const before = { home, homes, stranger, seq, epoch };
    homes = await startHomes(
      async (clock) => {
        stranger = await startOtherHome(clock);
        stranger.lists([listedKey(key, clock)], [key]);
        return [stranger.name];
      },
      { HEARTH_LIMITS: JSON.stringify(limits) },
    );
    try {
      home = homes.one;
      [seq, epoch] = [0, homes.clock.now() / 1_000];
      await work();
    } finally {
      await homes.stop();
      await stranger.stop();
      ({ home, homes, stranger, seq, epoch } = before);
    }
  }

  test('count four times more for each act, before any act runs', async () => {
    await afresh({ stranger_requests_a_minute: 20 }, async () => {
      let carriedOut = 0;
      home.decides(() => {
        carriedOut += 1;
        return { decision: HomeItemDecision.OK };
      });
      const statuses = [];
      for (const make of [act, act, act, inVain[1]!]) statuses.push((await push([item(make())])).status);
      expect(statuses).toEqual([200, 200, 429, 200]);
      expect(carriedOut).toBe(2);
    });
  });

  test('do not make this home resend pending items each time', async () => {
    await afresh({}, async () => {
      home.decides(() => ({
        decision: HomeItemDecision.OK,
        result: { status: 404, answerJson: '', errorJson: '{"error":"no","code":"not_found"}' },
      }));
      // It answers pushes with its document, which is not a valid answer.
      let sent = 0;
      stranger.answers((request, response) => {
        if (request.method === 'POST') sent += 1;
        response.end(JSON.stringify(stranger.document()));
      });
      expect((await push([item(act())])).status).toBe(200);
      await eventually(async () => sent > 0);
      const before = sent;
      for (let times = 0; times < 6; times += 1) {
        expect((await push([item(inVain[1]!())])).status).toBe(200);
        await home.run('send-due');
      }
      expect(sent - before).toBeLessThanOrEqual(1);
      homes.clock.advance(11_000);
      expect((await push([item(inVain[1]!())])).status).toBe(200);
      await eventually(async () => sent - before > 0);
    });
  });

  test.each([
    ['stranger_requests_a_minute', 16],
    ['home_requests_a_minute', 8],
  ])('are limited by their bytes: %s', async (limit, bound) => {
    let own!: OtherHome;
    const env = { HEARTH_LIMITS: JSON.stringify({ [limit]: bound }) };
    const bounded = await startHomes(async (clock) => {
      own = await startOtherHome(clock);
      own.lists([listedKey(key, clock)], [key]);
      return [own.name];
    }, env);
    let sent = 0;
    const post = async (body: string) => {
      sent += 1;
      const target = `http://${bounded.one.name}/federation/inbox`;
      const to = { origin: own.name, destination: bounded.one.name, body: Buffer.from(body) };
      const by = { key, now: bounded.clock.now(), nonce: String(sent).padStart(22, 'D') };
      const headers = signRequest({ method: 'POST', target, ...to }, by);
      return (await fetch(target, { method: 'POST', headers, body })).status;
    };
    try {
      // Four for 16 KiB of empty objects, and one for each request; three for being a stranger's. Then one
      // push is left.
      const wide = `[${'{},'.repeat(5_500)}{}]`;
      expect([await post(wide), await post('{}'), await post('{}')]).toEqual([400, 400, 400]);
      expect(await post(wide)).toBe(429);
      expect([await post('{}'), await post('{}')]).toEqual([400, 429]);
    } finally {
      await bounded.stop();
      await own.stop();
    }
  });
});
