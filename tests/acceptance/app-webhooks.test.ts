import { execFileSync } from 'node:child_process';
import { type AppReceiver, type Arrived, startAppReceiver } from '@hearth/testkit/app-receiver';
import { eventually } from '@hearth/testkit/eventually';
import {
  type ApiClient,
  apiClient,
  createHomeDatabase,
  type StartedHome,
  startHomeInProcesses,
  topologyOf,
} from '@hearth/testkit/home';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { expectStatus } from '../support/home.ts';

// Two apps with people in one group, each app with its own webhook address: what each of them receives.

interface Person extends ApiClient {
  id: string;
  address: string;
  handle: string;
}

interface App extends ApiClient {
  id: string;
  secret: string;
  receiver: AppReceiver;
  person(fields: Record<string, unknown>): Promise<Person>;
}

let databaseFor: Awaited<ReturnType<typeof createHomeDatabase>>;
let home: StartedHome;
let planner: App;
let chores: App;
/** Held by the planner; Ada guards Kit. */
let ada: Person;
let kit: Person;
/** Held by the other app. */
let ben: Person;
let group: string;

beforeAll(async () => {
  const receivers = await Promise.all([startAppReceiver(), startAppReceiver()]);
  databaseFor = await createHomeDatabase();
  home = await startHomeInProcesses({
    topology: topologyOf(process.env),
    replicas: 1,
    databaseUrl: databaseFor.url,
    env: { HEARTH_DEV_CALLBACKS: receivers.map(({ origin }) => origin).join(), HEARTH_LIMITS: 'relaxed' },
  });
  planner = await newApp('Planner', receivers[0]);
  chores = await newApp('Chores', receivers[1]);
  ada = await planner.person({ name: 'Ada Lovelace', age_band: 'adult' });
  ben = await chores.person({ name: 'Ben Okri', age_band: 'adult' });
  const birth = `${new Date().getUTCFullYear() - 9}-01`;
  kit = await planner.person({ name: 'Kit Quillfeather', birth_year_month: birth, guardian: ada.id });
  const settings = { minors: 'guardian', join_review: 'none' };
  group = expectStatus(await ada.post('/v0/groups', { name: 'Book club', settings }), 201).body.id;
}, 240_000);
afterAll(async () => {
  await home?.stop();
  await Promise.all([planner?.receiver.stop(), chores?.receiver.stop()]);
  await databaseFor?.drop();
}, 240_000);

async function newApp(name: string, receiver: AppReceiver): Promise<App> {
  const operator = apiClient(home.urls, home.operatorKey);
  const fields = { name, contact_email: 'ops@planner.example', minors: true };
  const {
    app,
    app_key: key,
    signing_secret: secret,
  } = expectStatus(await operator.post('/v0/admin/apps', fields), 201).body;
  const client = apiClient(home.urls, key);
  expectStatus(await client.patch('/v0/app', { webhook_url: receiver.url }), 200);
  return {
    ...client,
    id: app.id,
    secret,
    receiver,
    async person(given) {
      const { body } = expectStatus(await client.post('/v0/people', given), 201);
      const acting = { 'svc-acting-for': body.id as string };
      const request: ApiClient['request'] = (method, path, sent) =>
        client.request(method, path, sent, acting);
      return {
        id: body.id,
        address: body.address,
        handle: body.handle,
        request,
        get: (path) => request('GET', path),
        post: (path, sent = {}) => request('POST', path, sent),
        put: (path, sent = {}) => request('PUT', path, sent),
        patch: (path, sent = {}) => request('PATCH', path, sent),
        delete: (path, sent) => request('DELETE', path, sent),
      };
    },
  };
}

/** Waits for the app's next event of that type. */
async function next(app: App, type: string): Promise<Arrived> {
  const found = () =>
    app.receiver.arrived.find((arrival) => arrival.body.type === type && !seen.has(arrival));
  const arrived = await eventually(
    async () => found(),
    (arrival) => arrival !== undefined,
  );
  seen.add(arrived!);
  return arrived!;
}
const seen = new Set<Arrived>();

/** Checks `t=<unix seconds>,v1=<hex HMAC-SHA256 of <t>.<raw body>>` as documented, without our own code. */
function isSigned({ signature, raw }: Arrived, secret: string): boolean {
  const [, moment, given] = /^t=(\d+),v1=([0-9a-f]{64})(?:,v1=[0-9a-f]{64})*$/.exec(signature) ?? [];
  if (moment === undefined || Math.abs(Date.now() / 1_000 - Number(moment)) > 300) return false;
  return given === hmacOf(`${moment}.${raw}`, secret);
}

function hmacOf(text: string, secret: string): string {
  const said = execFileSync('openssl', ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `key:${secret}`], {
    input: text,
    encoding: 'utf8',
  });
  return /([0-9a-f]{64})\s*$/.exec(said)![1]!;
}

async function join(person: Person, guardian?: Person): Promise<void> {
  const band = (await person.get('/v0/people/me')).body.age_band;
  const fields = { for_age: band, item_ref: 'shelf-7' };
  const invite = expectStatus(await ada.post(`/v0/groups/${group}/invites`, fields), 201).body;
  expectStatus(await person.post(`/v0/invites/${invite.code}/accept`, { via: 'app' }), 200, 201);
  if (guardian !== undefined) {
    const review = { decision: 'approved', person: person.id };
    expectStatus(await guardian.post(`/v0/invites/${invite.code}/review`, review), 200);
  }
}

async function inDatabase(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseFor.url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

const caughtUp = async (app: App) => expectStatus(await app.get('/v0/app/events?limit=100'), 200).body.events;
/** The sequence numbers of the group's events that an app received. */
const seqs = (app: App) =>
  app.receiver.arrived
    .filter(({ body }) => (body.data.group?.id ?? body.data.group) === group && 'seq' in body.data)
    .map(({ body }) => body.data.seq as number);

test('a URL is tried with a signed event of type test, and must answer 200', async () => {
  const arrived = planner.receiver.arrived[0]!;
  expect(arrived.body).toMatchObject({ type: 'test', data: {} });
  expect(isSigned(arrived, planner.secret)).toBe(true);
  expect(isSigned(arrived, chores.secret)).toBe(false);
  expectStatus(await planner.post('/v0/app/webhook/test'), 200);
  planner.receiver.next({ status: 500 });
  const refused = await planner.post('/v0/app/webhook/test');
  expect([refused.status, refused.body.code]).toEqual([400, 'callback_challenge_failed']);
});

describe('a group', () => {
  test('is announced to the apps of its members, signed, with what each may know', async () => {
    await join(ben);
    const [mine, theirs] = [await next(planner, 'member.joined'), await next(chores, 'member.joined')];
    expect([isSigned(mine, planner.secret), isSigned(theirs, chores.secret)]).toEqual([true, true]);
    expect(mine.body.data).toMatchObject({
      group,
      person: { id: ben.id, name: 'Ben Okri' },
      role: 'member',
      via: 'app',
      item_ref: 'shelf-7',
    });
    expect(theirs.body.id).toBe(mine.body.id);
    const made = await next(chores, 'group.created');
    expect(made.body.data).toMatchObject({
      group: { id: group, name: 'Book club', app: planner.id },
      by: ada.id,
    });

    expectStatus(await ada.put(`/v0/groups/${group}/members/${ben.id}/role`, { role: 'organizer' }), 200);
    expect((await next(chores, 'role.changed')).body.data).toMatchObject({
      group,
      person: ben.id,
      role: 'organizer',
      by: ada.id,
    });
    expectStatus(await ben.patch(`/v0/groups/${group}`, { name: 'Reading club' }), 200);
    expect((await next(planner, 'group.updated')).body.data).toMatchObject({
      group: { id: group, name: 'Reading club', settings: { minors: 'guardian' } },
      changed: ['name'],
      by: ben.id,
    });
  });

  test('identifies a child to the other app by a shielded id, which that app can use in requests', async () => {
    await join(kit, ada);
    const [mine, theirs] = [await next(planner, 'member.joined'), await next(chores, 'member.joined')];
    expect(mine.body.data.person).toMatchObject({ id: kit.id, name: 'Kit Quillfeather', guardian: ada.id });
    const shielded = theirs.body.data.person;
    expect(shielded).toMatchObject({ name: 'Kit Q.', age_band: 'child', shielded: true });
    expect(shielded.id).toMatch(/^shp_[0-9a-f]{32}$/);
    const { members } = expectStatus(await ben.get(`/v0/groups/${group}/members`), 200).body;
    expect(members.map(({ person }: { person: { id: string } }) => person.id)).toContain(shielded.id);
    expectStatus(await ada.patch(`/v0/people/${kit.id}`, { ai_share: true }), 200);
    expect((await next(planner, 'person.updated')).body.data).toMatchObject({
      person: { id: kit.id, ai_share: true },
      changed: ['ai_share'],
      seq: expect.any(Number),
    });
    expectStatus(await ada.patch(`/v0/people/${kit.id}`, { ai_share: false }), 200);
    await next(planner, 'person.updated');
    expect(chores.receiver.arrived.map(({ body }) => body.type)).not.toContain('person.updated');
  });

  test('is left, and seq has counted each event, including outcomes', async () => {
    const guest = await chores.person({ name: 'Cleo Patra', age_band: 'adult' });
    await join(guest);
    expectStatus(await guest.post(`/v0/groups/${group}/leave`), 200);
    expect((await next(planner, 'member.left')).body.data).toMatchObject({ group, person: guest.id });
    await join(guest);
    const why = '?reason=too%20loud';
    expectStatus(await ada.delete(`/v0/groups/${group}/members/${guest.id}${why}`), 200);
    const removed = await next(chores, 'member.removed');
    expect(removed.body.data).toMatchObject({ group, person: guest.id, by: ada.id });
    expect(removed.raw).not.toContain('too loud');
    for (const app of [planner, chores]) {
      const told = seqs(app);
      expect(told).toEqual(told.map((_, index) => index + 1));
    }
  });

  test('is archived', async () => {
    const other = expectStatus(await ada.post('/v0/groups', { name: 'Once' }), 201).body.id;
    expectStatus(await ada.post(`/v0/groups/${other}/archive`), 200);
    expect((await next(planner, 'group.archived')).body.data).toMatchObject({
      group: other,
      why: 'organizer_archived',
    });
  });
});

test('the outcome of an approval is sent to the apps of the asker and the person asked', async () => {
  const asking = { title: 'May I book the 9:30 train?', to: [ben.address], item_ref: 'trip-1' };
  const { id } = expectStatus(await ada.post('/v0/approvals', asking), 201).body;
  expect((await next(chores, 'notify')).body.data).toMatchObject({
    person: ben.id,
    kind: 'approval',
    body: 'May I book the 9:30 train?',
    link: expect.stringContaining(`/a/${id}`),
  });
  expectStatus(await ben.post(`/v0/approvals/${id}/reply`, { decision: 'approved' }), 200);
  for (const app of [planner, chores]) {
    const ofIt = () =>
      app.receiver.arrived.find(({ body }) => body.type === 'outcome' && body.data.id === id);
    const arrived = await eventually(
      async () => ofIt(),
      (arrival) => arrival !== undefined,
    );
    expect(arrived!.body.data).toMatchObject({
      kind: 'approval',
      id,
      status: 'approved',
      title: 'May I book the 9:30 train?',
      summary: 'Approved by Ben Okri',
      people: [{ person: ben.id, name: 'Ben Okri' }],
    });
    // Each app sees only its own item.
    expect(arrived!.body.data.item_ref).toBe(app === planner ? 'trip-1' : undefined);
  }
});

test("a switched-off AI is announced to its owner's app, and no other", async () => {
  const { ai } = expectStatus(await ada.post('/v0/ais', { name: 'Helper' }), 201).body;
  expectStatus(await ada.delete(`/v0/ais/${ai.id}`), 200);
  expect((await next(planner, 'ai.revoked')).body.data).toEqual({ ai: ai.id, owner: ada.id });
  expect(chores.receiver.arrived.map(({ body }) => body.type)).not.toContain('ai.revoked');
});

test('a new signing secret signs beside the old one, or alone without an overlap', async () => {
  const rotate = async (hours: number) =>
    expectStatus(await chores.post('/v0/app/secret', { overlap_hours: hours }), 201).body.signing_secret;
  const signedWith = async (...secrets: string[]) => {
    expectStatus(await chores.post('/v0/app/webhook/test'), 200);
    const { signature, raw } = chores.receiver.arrived.at(-1)!;
    const moment = /^t=(\d+)/.exec(signature)![1];
    const signed = `t=${moment},${secrets.map((secret) => `v1=${hmacOf(`${moment}.${raw}`, secret)}`).join()}`;
    return signature === signed;
  };
  const fresh = await rotate(1);
  expect(await signedWith(fresh, chores.secret)).toBe(true);
  chores.secret = await rotate(0);
  expect(await signedWith(chores.secret)).toBe(true);
  // Events are signed in the same way, as soon as delivery has consumed the change.
  await eventually(async () => {
    const guest = await chores.person({ name: 'Dan Brown', age_band: 'adult' });
    await join(guest);
    let arrived = await next(chores, 'member.joined');
    while (arrived.body.data.person.id !== guest.id) arrived = await next(chores, 'member.joined');
    return isSigned(arrived, chores.secret);
  }, Boolean);
});

describe('the log', () => {
  test('lists delivered events, and a replay delivers again under the same id', async () => {
    const { deliveries } = expectStatus(await planner.get('/v0/app/deliveries?type=role.changed'), 200).body;
    expect(deliveries).toMatchObject([{ type: 'role.changed', status: 'delivered', attempt_count: 1 }]);
    const { id } = deliveries[0];
    const whole = expectStatus(await planner.get(`/v0/app/deliveries/${id}`), 200).body;
    expect(whole.attempts).toMatchObject([{ status: 200, ms: expect.any(Number) }]);
    const first = planner.receiver.arrived.find(({ body }) => body.id === id)!;
    expect(whole.body).toEqual(first.body);
    expectStatus(await planner.post(`/v0/app/deliveries/${id}/replay`), 200);
    const all = () => planner.receiver.arrived.filter(({ body }) => body.id === id);
    await eventually(
      async () => all().length,
      (count) => count === 2,
    );
    expect(all()[1]!.raw).toBe(first.raw);
    expect(isSigned(all()[1]!, planner.secret)).toBe(true);
  });

  test('is visible to its own app only', async () => {
    const events: { id: string; type: string }[] = await caughtUp(planner);
    const event = events.find(({ type }) => type === 'person.updated')!;
    const theirs = await chores.get(`/v0/app/deliveries/${event.id}`);
    const none = await chores.get(`/v0/app/deliveries/evt_${'0'.repeat(32)}`);
    expect([theirs.status, theirs.body]).toEqual([404, none.body]);
  });

  test('replays exactly what was sent, in order', async () => {
    for (const app of [planner, chores]) {
      const events = await caughtUp(app);
      const ids = new Set(events.map(({ id }: { id: string }) => id));
      const arrived = new Map(
        app.receiver.arrived.filter(({ body }) => ids.has(body.id)).map(({ body }) => [body.id, body]),
      );
      expect(events).toEqual(events.map(({ id }: { id: string }) => arrived.get(id)));
      const answeredAtOnce = ['test', 'guess'];
      const kinds = app.receiver.arrived
        .map(({ body }) => body)
        .filter(({ type }) => !answeredAtOnce.includes(type));
      expect(new Set(kinds.map(({ id }) => id))).toEqual(ids);
      const half = Math.floor(events.length / 2);
      const { body } = await app.get(`/v0/app/events?limit=100&after=${events[half - 1].id}`);
      expect(body).toEqual({ events: events.slice(half), has_more: false });
    }
  });
});

test('a decision past its deadline asks the app of a silent person to guess, and the app of its group to propose', async () => {
  const eats = { kind: 'choice', prompt: 'What do we eat?', options: ['Pizza', 'Soup'] };
  const questions = [eats, { kind: 'bring', prompt: 'What do you bring?' }];
  const fields = { title: 'Picnic', group, questions, with: [ben.address, kit.address] };
  const { id } = expectStatus(await ada.post('/v0/decisions', fields), 201).body;
  const path = `/v0/decisions/${id}`;
  const own = [
    { question_id: 1, answer: 'Pizza' },
    { question_id: 2, answer: 'Salad' },
  ];
  expectStatus(await ada.post(`${path}/answers`, { answers: own, for: ada.id }), 200);
  const guesses = [
    { question_id: 1, answer: 'Cake' },
    { question_id: 1, answer: 'Soup', reason: 'as always' },
    { question_id: 7, answer: 'Soup' },
  ];
  chores.receiver.always({ status: 200, body: JSON.stringify({ guesses }) });
  await inDatabase(`update decisions.decisions set deadline_at = now(), due_at = now() where number = ${id}`);
  const asked = await next(chores, 'guess');
  expect(isSigned(asked, chores.secret)).toBe(true);
  expect(asked.body.data).toMatchObject({
    decision: { id: Number(id), title: 'Picnic', group },
    person: ben.id,
    questions: [
      { id: 1, ...eats },
      { id: 2, kind: 'bring' },
    ],
  });
  const proposed = await eventually(
    async () => expectStatus(await ada.get(path), 200).body,
    ({ status }) => status === 'proposed',
  );
  chores.receiver.always({ status: 200 });
  const assumed = proposed.answers.filter((answer: { assumed: boolean }) => answer.assumed);
  expect(assumed).toMatchObject([{ question_id: 1, person: ben.id, answer: 'Soup', note: 'as always' }]);
  expect(proposed.proposal.object_by).toBeDefined();
  // Sent once; the log says why nothing else counted. Nothing is asked for the child, whose guardian lets no AI act.
  const { attempts } = expectStatus(await chores.get(`/v0/app/deliveries/${asked.body.id}`), 200).body;
  expect(attempts.map(({ dropped }: { dropped: string[] }) => dropped)).toEqual([
    [
      'guesses[0].answer: must be one of the options',
      'guesses[2].question_id: must be the id of a question that was asked',
    ],
  ]);
  expect(chores.receiver.types().filter((type) => type === 'guess')).toHaveLength(1);
  expect(planner.receiver.types()).not.toContain('guess');

  const { group_ai: groupAi } = expectStatus(await ada.get(`/v0/groups/${group}`), 200).body;
  const propose = (app: App, edit: object) =>
    app.request('POST', `${path}/proposal`, edit, { 'svc-acting-for': groupAi });
  const bad = await propose(planner, { answers: [{ question_id: 1, answer: 'Cake' }] });
  expect([bad.status, bad.body.code, bad.body.field]).toEqual([400, 'bad_field', 'answers[0].answer']);
  expect((await propose(chores, { summary: 'Soup for all' })).status).toBe(403);
  const edit = { answers: [{ question_id: 1, answer: 'Soup' }], summary: 'Soup for all', where: 'The lake' };
  expect(expectStatus(await propose(planner, edit), 200).body.proposal).toMatchObject({
    version: 2,
    by: groupAi,
    summary: 'Soup for all',
    where: 'The lake',
  });
});

test('an account deletion is sent daily until the app confirms it', async () => {
  const leaving = await planner.person({ name: 'Eve Moneypenny', age_band: 'adult' });
  await join(leaving);
  expectStatus(await leaving.delete(`/v0/people/me?confirm=${leaving.handle}`), 202);
  await inDatabase(
    `update identity.people set deletes_at = now() - interval '1 second' where deletes_at is not null`,
  );
  const told = () =>
    planner.receiver.arrived.filter(
      ({ body }) => body.type === 'account.deleted' && body.data.deleted.includes(leaving.id),
    );
  await eventually(
    async () => told().length,
    (count) => count === 1,
    { withinMs: 90_000, everyMs: 100 },
  );
  const { id } = told()[0]!.body;
  expect(told()[0]!.body.data).toMatchObject({
    deleted: [leaving.id],
    handovers: [],
    organizers: [],
    archived: [],
  });
  const aDayLater = () =>
    inDatabase(`
      update delivery.app_events set due_at = now() where type = 'account.deleted' and status = 1;
      update delivery.destinations set due_at = now(), version = version + 1`);
  const log = async () => (await planner.get(`/v0/app/deliveries/${id}`)).body;
  await eventually(log, (delivery) => delivery.attempt_count === 1 && delivery.status === 'waiting');
  await aDayLater();
  await eventually(
    async () => told().length,
    (count) => count === 2,
  );
  expect(told()[1]!.raw).toBe(told()[0]!.raw);
  await eventually(log, (delivery) => delivery.attempt_count === 2);
  expectStatus(await planner.post(`/v0/app/deletions/${id}/confirm`), 200);
  await eventually(log, (delivery) => delivery.status === 'delivered');
  await aDayLater();
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(told()).toHaveLength(2);
}, 240_000);

test('neither app received events about others', async () => {
  const hidden = { planner: [] as string[], chores: ['Quillfeather', kit.id, kit.handle] };
  // A group without members of the other app.
  const { body } = await planner.person({ name: 'Alone Secret', age_band: 'adult' }).then(async (alone) => ({
    body: expectStatus(await alone.post('/v0/groups', { name: 'Secret group' }), 201).body,
  }));
  expectStatus(
    await (await chores.person({ name: 'Other Secret', age_band: 'adult' })).post('/v0/groups', {
      name: 'Hidden group',
    }),
    201,
  );
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  hidden.chores.push(body.id, 'Secret group', 'Alone Secret');
  hidden.planner.push('Hidden group', 'Other Secret');
  for (const [app, words] of [
    [planner, hidden.planner],
    [chores, hidden.chores],
  ] as const) {
    const all = JSON.stringify([app.receiver.arrived, await caughtUp(app)]);
    for (const word of words) expect([word, all.includes(word)]).toEqual([word, false]);
  }
  const theirs = new Set(planner.receiver.arrived.flatMap(({ raw }) => raw.match(/shp_[0-9a-f]{32}/g) ?? []));
  const others = chores.receiver.arrived.flatMap(({ raw }) => raw.match(/shp_[0-9a-f]{32}/g) ?? []);
  expect(others.filter((id) => theirs.has(id))).toEqual([]);
  expect(others.length).toBeGreaterThan(0);
});
