import { setTimeout as sleep } from 'node:timers/promises';
import { fromBinary } from '@bufbuild/protobuf';
import { EventSchema } from '@hearth/proto/events/v1/events';
import { type ListedKey, verifyRecord } from '@hearth/signing';
import { eventually } from '@hearth/testkit/eventually';
import {
  type ApiClient,
  apiClient,
  type Reply,
  type StartedHome,
  startHomeInProcesses,
} from '@hearth/testkit/home';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type pg from 'pg';
import type { SeenApproval } from '../support/approvals.ts';
import { bringBack } from './support/bring-back.ts';
import { type CallbackReceiver, startCallbackReceiver } from './support/callback-receiver.ts';
import { embeddedUrl, onDatabase } from './support/event-log.ts';
import { rounds } from './support/rounds.ts';
import { findHomeKeys, isSignedByHome } from './support/signed-by-home.ts';

// Asks settle while the home is killed, or while everyone answers at once: each settles once, with one record, one
// event, and one callback for a receiver that deduplicates by id.
interface Person {
  address: string;
  handle: string;
  get(path: string): Promise<Reply>;
  post(path: string, body?: object): Promise<Reply>;
  request(method: string, path: string, body?: object): Promise<Reply>;
}

let home: StartedHome;
let receiver: CallbackReceiver;
let app: ApiClient;
let keys: ListedKey[];
let asker: Person;
let others: Person[];
/** Settled asks, checked again at the end. */
const settled: string[] = [];

beforeAll(async () => {
  receiver = await startCallbackReceiver();
  const env = { HEARTH_LIMITS: 'relaxed', HEARTH_SEAL_KEY: '', HEARTH_DEV_CALLBACKS: receiver.origin };
  home = await startHomeInProcesses({ topology: 'one', databaseUrl: 'embedded', env });
  const operator = apiClient(home.urls, home.operatorKey);
  const made = await operator.post('/v0/admin/apps', {
    name: 'Planner',
    contact_email: 'ops@planner.example',
  });
  app = apiClient(home.urls, made.body.app_key);
  keys = await findHomeKeys(app);
  asker = await newPerson();
  others = await Promise.all(Array.from({ length: 20 }, newPerson));
}, 180_000);
afterAll(async () => {
  await home?.stop();
  await receiver?.stop();
}, 240_000);

async function newPerson(): Promise<Person> {
  const { body } = await app.post('/v0/people', { name: 'Ada Lovelace', age_band: 'adult' });
  const acting = { 'svc-acting-for': body.id as string };
  return {
    address: body.address,
    handle: body.handle,
    get: (path) => app.get(path, acting),
    post: (path, sent = {}) => app.post(path, sent, acting),
    request: (method, path, sent) => app.request(method, path, sent, acting),
  };
}

async function ask(to: readonly { address: string }[]): Promise<string> {
  const asked = { title: 'May I?', to: to.map(({ address }) => address), callback: receiver.url };
  const { status, body } = await asker.post('/v0/approvals', asked);
  expect(status).toBe(201);
  return body.id;
}

const reply = (who: Person, id: string, decision: 'approved' | 'declined' = 'approved') =>
  who.post(`/v0/approvals/${id}/reply`, { decision });

const see = async (id: string): Promise<SeenApproval> => (await asker.get(`/v0/approvals/${id}`)).body;

const onHome = <T>(work: (client: pg.Client) => Promise<T>) => onDatabase(embeddedUrl(home.dataFolder), work);
const uuidOf = (id: string) => id.slice('apr_'.length);

async function rowOf(id: string) {
  const { rows } = await onHome((client) =>
    client.query<{ status: string; signed_answer: string | null; record: string | null }>(
      `select status, signed_answer, record from approvals.approvals where id = $1`,
      [uuidOf(id)],
    ),
  );
  return rows[0]!;
}

async function recordsOf(id: string): Promise<string[]> {
  const { rows } = await onHome((client) =>
    client.query<{ json: string }>(`select json from federation.records where json like $1`, [`%"${id}"%`]),
  );
  return rows.map(({ json }) => json);
}

async function callbackOf(id: string) {
  const { rows } = await onHome((client) =>
    client.query<{ status: string; attempts: number }>(
      `select case status when 1 then 'waiting' when 2 then 'delivered' else 'ended' end as status, attempts::int
       from delivery.callbacks where approval = $1`,
      [uuidOf(id)],
    ),
  );
  return rows[0];
}

/** The settled subject of each settlement event in the log. */
async function announced(): Promise<string[]> {
  const { rows } = await onHome((client) =>
    client.query<{ event: Buffer }>(`select event from delivery.events where type = 'approval_settled'`),
  );
  return rows.map(({ event }) => {
    const { data } = fromBinary(EventSchema, event);
    return data.case === 'approvalSettled' ? data.value.approval : 'another event';
  });
}

/** kill -9. */
const kill = () => home.processes[0]!.kill();

async function restart(): Promise<void> {
  await bringBack(home.processes[0]!);
  await home.ready();
}

/** Shortens a dead process's leases and the time until the next attempts. */
const endLeases = () =>
  onHome((client) =>
    client.query(`
      update delivery.callbacks set due_at = now() where status = 1;
      update delivery.destinations set due_at = now(), leased_until = clock_timestamp() where kind = 4`),
  );

/** Waits for the callback, and checks everything that callers see of the outcome. */
async function expectSettledOnce(id: string, status = 'approved'): Promise<void> {
  const callback = await eventually(
    () => callbackOf(id),
    (found) => found?.status === 'delivered',
    { everyMs: 100 },
  );
  expect(callback).toMatchObject({ status: 'delivered' });
  const seen = await see(id);
  expect(seen).toMatchObject({ status, signed_answer: { status, subject: { id } } });
  const { valid } = verifyRecord(seen.signed_answer, {
    expectedType: 'svc-record+jws',
    home: (seen.signed_answer as { home?: string }).home ?? '',
    keys,
    now: Date.now(),
  });
  expect(valid).toBe(true);
  expect((await recordsOf(id)).map((json) => JSON.parse(json))).toEqual([seen.signed_answer]);
  await eventually(announced, (ids) => ids.includes(id), { everyMs: 100 });
  settled.push(id);

  const arrived = receiver.of(id);
  expect(arrived.length).toBeGreaterThan(0);
  for (const arrival of arrived) expect(isSignedByHome(keys, arrival)).toBe(true);
  // One callback by its id, however often it was sent.
  expect(new Set(arrived.map(({ body }) => body)).size).toBe(1);
  const told = JSON.parse(arrived[0]!.body);
  expect(told).toMatchObject({ id, status });
  expect(told.signed_answer).toEqual(seen.signed_answer);
}

describe('a killed home', () => {
  test.each([
    ['settled and is not signed', 'federation.records', { signed_answer: null, kept: 0 }],
    ['signed and told nobody', 'approvals.callbacks', { signed_answer: null, kept: 1 }],
  ])('that has %s continues from there', async (_, table, before) => {
    const id = await ask([others[0]!]);
    await onHome(async (holder) => {
      // The home blocks on writing there, and waits for us.
      await holder.query(`begin; lock table ${table} in exclusive mode`);
      const answered = reply(others[0]!, id).catch(() => null);
      await eventually(
        async () => {
          const { status, signed_answer } = await rowOf(id);
          return { status, signed_answer, kept: (await recordsOf(id)).length };
        },
        (seen) => seen.status === 'approved' && seen.kept === before.kept,
      );
      expect(await rowOf(id)).toMatchObject({
        status: 'approved',
        signed_answer: null,
        record: expect.any(String),
      });
      await kill();
      await answered;
    }).catch((error: Error) => {
      // The home's own Postgres may end with it, and so may our connection.
      if (!/terminat|ECONNRESET|closed/i.test(error.message)) throw error;
    });
    await restart();
    const { record } = await rowOf(id);
    await expectSettledOnce(id);
    expect((await rowOf(id)).record).toBe(record);
    expect(receiver.of(id)).toHaveLength(1);
  });

  test('repeatedly, while many asks are settled, loses none and notifies once for each', async () => {
    let unfinished = 0;
    for (let round = 0; round < rounds(1, 2); round += 1) {
      const ids = await Promise.all(others.map((other) => ask([other])));
      const answered = ids.map((id, index) => reply(others[index]!, id).catch(() => null));
      await Promise.race(answered);
      await sleep(Math.random() * 20);
      await kill();
      await restart();
      const first = await Promise.all(answered);
      for (const id of ids) if ((await callbackOf(id))?.status !== 'delivered') unfinished += 1;
      for (const [index, id] of ids.entries()) {
        const again = await reply(others[index]!, id);
        if (again.status === 200) expect(first[index]?.status).not.toBe(200);
        else expect(again).toMatchObject({ status: 400, body: { code: 'already_settled' } });
      }
      await endLeases();
      for (const id of ids) await expectSettledOnce(id);
    }
    // Otherwise the test proved nothing.
    expect(unfinished).toBeGreaterThan(0);
  }, 240_000);
});

test('counts blocked, switched-off and deleted recipients as refusals, also across a kill', async () => {
  const [blocking, leaving] = await Promise.all([newPerson(), newPerson()]);
  const { body } = await others[0]!.post('/v0/ais', { name: 'Helper' });
  const id = await ask([blocking, leaving, { address: body.ai.address }]);
  const target = encodeURIComponent(asker.address);
  const taken = await Promise.all([
    blocking.request('PUT', `/v0/blocks/${target}`, {}),
    others[0]!.request('DELETE', `/v0/ais/${body.ai.id}`),
  ]);
  await kill();
  expect(taken.map(({ status }) => status)).toEqual([200, 200]);
  await restart();
  const asked = await leaving.request('DELETE', `/v0/people/me?confirm=${leaving.handle}`);
  expect([asked.status, (await see(id)).status]).toEqual([202, 'waiting']);
  await onHome((client) =>
    client.query(
      `update identity.people set deletes_at = now() - interval '1 second' where deletes_at is not null`,
    ),
  );
  await expectSettledOnce(id, 'declined');
  const { people, signed_answer: signed } = await see(id);
  expect(people.map(({ decision }) => decision)).toEqual(['declined', 'declined', 'declined']);
  // None of the three answered: the record contains no answer, and does not say who blocked.
  expect(signed?.answers).toEqual([]);
}, 180_000);

describe('fifty concurrent answers', () => {
  const codes = (replies: readonly Reply[]) => {
    const taken = replies.filter(({ status }) => status === 200);
    for (const one of replies) {
      if (one.status !== 200) expect(one).toMatchObject({ status: 400, body: { code: 'already_settled' } });
    }
    return taken;
  };

  test('from twenty people, any of whom suffices, settle the ask once', async () => {
    const id = await ask(others);
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => reply(others[index % others.length]!, id)),
    );
    expect(codes(replies)).toHaveLength(1);
    await expectSettledOnce(id);
    expect((await see(id)).people.filter(({ decision }) => decision === 'approved')).toHaveLength(1);
    expect(receiver.of(id)).toHaveLength(1);
  }, 240_000);

  test('from twenty people who disagree count once each, and the first approval settles the ask', async () => {
    const id = await ask(others);
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        reply(others[index % others.length]!, id, index % 4 === 3 ? 'approved' : 'declined'),
      ),
    );
    const taken = codes(replies);
    await expectSettledOnce(id);
    const { people, signed_answer: signed } = await see(id);
    const yes = people.filter(({ decision }) => decision === 'approved');
    const no = people.filter(({ decision }) => decision === 'declined');
    expect([yes.length, yes.length + no.length]).toEqual([1, taken.length]);
    expect(signed?.answers).toHaveLength(taken.length);
    expect(receiver.of(id)).toHaveLength(1);
  }, 240_000);

  test('from one person, approving and declining: one of them counts', async () => {
    const person = others[0]!;
    const id = await ask([person]);
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => reply(person, id, index % 2 === 0 ? 'approved' : 'declined')),
    );
    const taken = codes(replies);
    expect(taken).toHaveLength(1);
    const { status } = taken[0]!.body;
    await expectSettledOnce(id, status);
    expect((await see(id)).signed_answer?.answers).toMatchObject([{ decision: status, to: person.address }]);
    expect(receiver.of(id)).toHaveLength(1);
  }, 240_000);
});

test('no notification was repeated later', async () => {
  const ids = await announced();
  expect(new Set(ids).size).toBe(ids.length);
  expect(settled.filter((id) => !ids.includes(id))).toEqual([]);
  const { rows } = await onHome((client) =>
    client.query<{ id: string }>(`select json::jsonb -> 'subject' ->> 'id' as id from federation.records`),
  );
  expect(rows.map(({ id }) => id).sort()).toEqual([...ids].sort());
  for (const id of settled) expect(new Set(receiver.of(id).map(({ body }) => body)).size).toBe(1);
});
