import { setTimeout as sleep } from 'node:timers/promises';
import { day, minute, second, systemClock } from '@hearth/clock';
import { openDatabase } from '@hearth/db';
import { eventually } from '@hearth/testkit';
import { startAppReceiver } from '@hearth/testkit/app-receiver';
import { freePort } from '@hearth/testkit/free-port';
import type { ApiClient } from '@hearth/testkit/home';
import { afterAll, expect, test } from '@jest/globals';
import { services } from '../src/services.ts';
import { startHttpServer } from './support/http-server.ts';
import { recordServices } from './support/record-services.ts';
import { openTables } from './support/table-rows.ts';
import { startWholeHome } from './support/whole-home.ts';

/*
 * Two homes go through a course of events that reaches every consumer. After each part, every consumer gets its events again: the last
 * batch, then all batches from the first, so that old events come after newer ones. Nothing may change by that.
 */

/** Tables and columns that change by themselves, or say only that something was handled. */
const leftOut: Record<string, string> = {
  '*.handled_places': 'the places of handled events, for consumers that keep their order',
  '*.outbox.published_in': 'how an announced event is published',
  '*.outbox.published_at': 'how an announced event is published',
  '*.outbox.claimed_until': 'how an announced event is published',
  '*.outbox.claimed_by': 'how an announced event is published',
  '*.outbox.log_position': 'how an announced event is published',
  'federation.nonces': 'requests of other homes',
  'federation.logs.pulled_at': 'when another home was asked for what it has',
};

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
type Body = any;

/** The homes' time is ahead of the machine's by that. */
let aheadMs = 0;
const clock = { now: () => systemClock.now() + aheadMs };
const apps = await startAppReceiver();
const challenged = await startHttpServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { challenge } = JSON.parse(Buffer.concat(chunks).toString());
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ challenge }));
  });
});
const ports = [await freePort(), await freePort()] as const;
const [here, there] = await Promise.all([
  startRecorded(ports[0], ports[1]),
  startRecorded(ports[1], ports[0]),
]);
afterAll(async () => {
  for (const { database, home } of [here, there]) {
    await database.close();
    await home.stop();
  }
  await Promise.all([apps.stop(), challenged.stop()]);
});

async function startRecorded(port: number, other: number) {
  const recorded = recordServices(services);
  const env = {
    HEARTH_DEV_HOMES: `localhost:${other}`,
    HEARTH_DEV_CALLBACKS: `${apps.origin},${challenged.url}`,
  };
  const home = await startWholeHome({ services: recorded.services, clock, port, env });
  const database = openDatabase({ url: home.database.url, clock: systemClock });
  return {
    home,
    database,
    name: `localhost:${port}`,
    ...recorded,
    tables: await openTables(database, leftOut),
    operator: home.api(home.operatorKey),
  };
}
type RecordedHome = Awaited<ReturnType<typeof startRecorded>>;

async function ok(reply: Promise<{ status: number; body: Body }>): Promise<Body> {
  const { status, body } = await reply;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

const schemas = services.flatMap(({ migrations, name }) => (migrations === undefined ? [] : name));
const waiting = schemas
  .map((schema) => `select id from ${schema}.outbox where published_in is null`)
  .concat(
    'select destination from federation.logs where lost_at is not null or settled_seq < last_seq',
    "select id from federation.destinations where due_at < now() + interval '12 hours'",
    "select id from delivery.destinations where due_at < now() + interval '1 minute'",
  )
  .join(' union all ');

/** Does what is due until all that was announced is handled, and nothing changes by itself. */
async function settle(): Promise<void> {
  await eventually(
    async () => {
      // Jobs take up what a request left after some seconds.
      aheadMs += 6 * second;
      const quiet = await Promise.all(
        [here, there].map(async ({ database, home, jobs, tables }) => {
          for (const job of jobs) await home.home.runJob(job);
          const left = await database.db.query({ text: waiting });
          return (await tables.isQuiet()) && left.length === 0;
        }),
      );
      return quiet.every(Boolean);
    },
    (isQuiet) => isQuiet,
    { everyMs: 400, withinMs: 60_000 },
  );
}

/** Hands each consumer its events again. Returns the changes, by home and consumer. */
async function replay(): Promise<string[]> {
  await settle();
  const changed: string[] = [];
  async function note({ name, tables }: RecordedHome, consumer: string) {
    for (const [table, change] of Object.entries(await tables.changes()))
      changed.push(`${name} ${consumer} ${table} ${JSON.stringify(change)}`);
  }
  for (const home of [here, there]) await home.tables.begin();
  for (const home of [here, there]) {
    for (const [consumer, { handle, batches }] of home.consumers) {
      const before = [...batches];
      for (const batch of [...before.slice(-1), ...before]) await handle(batch);
      if (before.length > 0) await note(home, consumer);
    }
  }
  await sleep(500);
  for (const home of [here, there]) await note(home, 'afterwards');
  return changed;
}

interface Party extends ApiClient {
  id: string;
  address: string;
  handle: string;
}

async function newApp({ operator, home }: RecordedHome, name: string) {
  const fields = { name, contact_email: 'ops@planner.example', minors: true };
  const { app, app_key: key } = await ok(operator.post('/v0/admin/apps', fields));
  const client = home.api(key);
  await ok(client.patch('/v0/app', { webhook_url: apps.url }));
  function as(id: string): ApiClient {
    const request: ApiClient['request'] = (method, path, body, headers = {}) =>
      client.request(method, path, body, { 'svc-acting-for': id, ...headers });
    return {
      request,
      get: (path) => request('GET', path),
      post: (path, body = {}) => request('POST', path, body),
      put: (path, body = {}) => request('PUT', path, body),
      patch: (path, body = {}) => request('PATCH', path, body),
      delete: (path, body) => request('DELETE', path, body),
    };
  }
  return {
    ...client,
    id: app.id as string,
    as,
    async person(fields: object = {}): Promise<Party> {
      const given = { name: 'Ada Lovelace', age_band: 'adult', ...fields };
      const { id, address, handle } = await ok(client.post('/v0/people', given));
      return { ...as(id), id, address, handle };
    },
  };
}

async function newAi(home: RecordedHome, owner: ApiClient, name: string): Promise<Party> {
  const permissions = ['read', 'message', 'group', 'approve', 'notes'];
  const { ai, connector_key: key } = await ok(owner.post('/v0/ais', { name, permissions }));
  return { ...home.home.api(key), id: ai.id, address: ai.address, handle: '' };
}

/** Deletes an account at once, without the week in which it can be kept. */
async function endAccount({ database, home }: RecordedHome, person: Party): Promise<void> {
  await ok(person.delete(`/v0/people/me?confirm=${person.handle}`));
  await database.statement((tx) =>
    tx.execute({ text: 'update identity.people set deletes_at = now() where deletes_at is not null' }),
  );
  await home.home.runJob('identity: delete-accounts');
}

/** Accepts the invite of the other home, once it came. */
async function acceptInvite(person: Party): Promise<void> {
  const { asks } = await eventually(
    () => ok(person.get('/v0/remote-asks')),
    (body) => body.asks.some(({ kind }: Body) => kind === 'invite'),
  );
  const { ref } = asks.find(({ kind }: Body) => kind === 'invite');
  await ok(person.post(`/v0/invites/${encodeURIComponent(ref)}/accept`));
}

const birth = (years: number) => `${new Date(systemClock.now()).getUTCFullYear() - years}-01`;

const planner = await newApp(here, 'Planner');
const chores = await newApp(here, 'Chores');
const others = await newApp(there, 'Planner');
const [ada, ben, gus] = [
  await planner.person({ name: 'Ada Lovelace' }),
  await chores.person({ name: 'Ben Okri' }),
  await planner.person({ name: 'Gus Guest' }),
];
const kit = await planner.person({
  name: 'Kit Quill',
  age_band: undefined,
  birth_year_month: birth(9),
  guardian: ada.id,
});
const bob = await others.person({ name: 'Bob Jones' });
const eve = await others.person({ name: 'Eve Moneypenny' });
const adasAi = await newAi(here, ada, 'Helper');
const bensAi = await newAi(here, ben, 'Butler');
const [robin, wren] = [await here.home.signUp({ name: 'Robin' }), await here.home.signUp({ name: 'Wren' })];
const owl = await there.home.signUp({ name: 'Owl' });
const away = ({ address }: { address: string }, home = there) => `${address.slice(1)}@${home.name}`;
const at = (days: number) => `${new Date(systemClock.now() + days * day).toISOString().slice(0, 11)}10:00`;
const minutes = { title: 'Translate the minutes', terms: 'Wren translates the minutes of May.' };
const call = { title: 'A call', time_zone: 'UTC', slots: [{ starts_at: at(30) }, { starts_at: at(31) }] };
const settings = { minors: 'guardian', join_review: 'all' };
const group = await ok(ada.post('/v0/groups', { name: 'Rowers', settings, time_zone: 'UTC' }));
const groupPath = `/v0/groups/${group.id}`;
const signed = await here.home.signIn('dora@example.com', { name: 'Dora Mail' });
const dora = here.home.api(signed.cookie('hearth_session')!);

async function join(person: ApiClient & { id: string }, forAge = 'adult', guardian?: ApiClient) {
  const invite = await ok(ada.post(`${groupPath}/invites`, { for_age: forAge }));
  const answer = await ok(person.post(`/v0/invites/${invite.code}/accept`));
  if (answer.status === 'joined') return;
  const { approvals } = await ok(ada.get('/v0/approvals?status=waiting'));
  for (const { id, kind } of approvals)
    if (kind === 'join_request') await ok(ada.post(`/v0/approvals/${id}/reply`, { decision: 'approved' }));
  if (guardian)
    await guardian.post(`/v0/invites/${invite.code}/review`, { decision: 'approved', person: person.id });
}

test('people, AIs, groups, messages and asks', async () => {
  await ok(ada.patch('/v0/people/me', { name: 'Ada Byron' }));
  for (const person of [ben, gus]) await join(person);
  await join(kit, 'child', ada);
  await ok(ben.patch('/v0/people/me', { name: 'Benjamin Okri' }));
  await ok(ada.patch(`/v0/people/${kit.id}`, { ai_share: true }));
  await ok(ada.put(`/v0/people/${kit.id}/guardian`, { guardian: gus.address }));
  await ok(gus.put(`/v0/people/${kit.id}/guardian`, { guardian: ada.address }));
  await ok(ada.patch(groupPath, { name: 'Rowing club' }));
  await ok(ada.put(`${groupPath}/members/${ben.id}/role`, { role: 'organizer' }));
  await ok(ben.post(`${groupPath}/messages`, { text: 'Hello' }));
  await ok(ada.post(`${groupPath}/invites`, { to: away(bob), for_age: 'adult' }));
  await ok(ben.put(`/v0/ais/${wren.address}/vouch`, { note: 'met at work' }));
  await ok(ben.delete(`/v0/ais/${wren.address}/vouch`));
  const { claim_link: link } = await ok(robin.get('/v0/me'));
  await ok(gus.post('/v0/ais/claim', { token: link }));
  await ok(robin.post('/v0/me/not-my-person'));
  const finch = await here.home.signUp({ name: 'Finch' });
  await ok(finch.post('/v0/agreements', { ...minutes, with: [wren.address] }));
  await ok(finch.post('/v0/meetings/offers', { ...call, to: ['anyone'] }));
  await ok(gus.post('/v0/ais/claim', { token: (await ok(finch.get('/v0/me'))).claim_link }));
  await ok(finch.post('/v0/me/not-my-person'));
  await ok(ben.post('/v0/ais/claim', { token: (await ok(finch.get('/v0/me'))).claim_link }));
  await ok(finch.post('/v0/approvals', { title: 'May I?', to: [ada.address] }));
  // An event of long before an AI listens wakes it never.
  aheadMs += 2 * minute;
  for (const ai of [robin, wren]) await ok(ai.get('/v0/ais/me/events'));
  const hook = {
    name: 'message.direct',
    url: `${challenged.url}/wren`,
    secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  };
  await ok(wren.post('/v0/ais/me/subscriptions', hook));
  const { id } = await ok(robin.post('/v0/messages', { to: wren.address, text: 'Hello' }));
  await ok(robin.delete(`/v0/messages/${id}?mode=retract`));
  const first = await ok(robin.post('/v0/messages', { to: ben.address, text: 'May I?' }));
  await ok(ben.post(`/v0/messages/${first.id}/reply`, { text: 'Yes' }));
  await ok(wren.post('/v0/messages', { to: ada.address, text: 'Buy this' }));
  await ok(ada.put(`/v0/blocks/${encodeURIComponent(wren.address)}`));
  await ok(ada.delete(`/v0/blocks/${encodeURIComponent(wren.address)}`));
  await ok(robin.put(`/v0/blocks/${encodeURIComponent(wren.address)}`));
  // A block ends what comes within its second, too.
  aheadMs += 2 * second;
  await ok(wren.post('/v0/messages', { to: ada.address, text: 'Excuse me' }));
  await ok(ada.put('/v0/request-rules', { rules: { offer: { action: 'turn_away' } } }));
  const asked = await ok(
    robin.post('/v0/approvals', {
      title: 'May I book it?',
      to: [ben.address, '@dora-mail'],
      callback: `${challenged.url}/callback`,
    }),
  );
  await ok(ben.post(`/v0/approvals/${asked.id}/reply`, { decision: 'approved' }));
  const { id: feedback } = await ok(
    robin.post('/v0/feedback', { kind: 'idea', title: 'Longer days', text: 'Well made' }),
  );
  await ok(here.operator.post(`/v0/admin/feedback/${feedback}/answer`, { answer: 'Thanks' }));
  await ok(adasAi.post('/v0/approvals', { title: 'A trip', to: [ben.address], group: group.id }));
  await ok(dora.get('/v0/approvals'));
  expect(await replay()).toEqual([]);
});

test('decisions, plans, agreements and meetings', async () => {
  const questions = [
    { kind: 'choice', prompt: 'Which day?', options: ['Saturday', 'Sunday'] },
    { kind: 'bring', prompt: 'What do you bring?' },
  ];
  await ok(adasAi.post('/v0/decisions', { title: 'A trip', group: group.id, questions }));
  const times = {
    title: 'Rehearsal',
    options: [{ starts_at: at(20), ends_at: at(21) }, { date: at(22).slice(0, 10) }],
  };
  await ok(ada.post('/v0/plans', { ...times, group: group.id }));
  await ok(ada.patch(groupPath, { settings: { plans: 'ask' } }));
  const plan = await ok(gus.post('/v0/plans', { ...times, group: group.id }));
  await ok(ada.post(`/v0/approvals/${plan.approval}/reply`, { decision: 'approved' }));

  await ok(ada.post(`${groupPath}/archive`));
  await ok(ada.post(`${groupPath}/restore`));
  await ok(adasAi.post('/v0/approvals', { title: 'Another trip', to: [ben.address], group: group.id }));
  await ok(adasAi.post('/v0/decisions', { title: 'Another trip', group: group.id, questions }));
  await ok(ada.patch(groupPath, { name: 'Rowers again', settings: { plans: 'allow' } }));
  await ok(ada.post('/v0/plans', { ...times, group: group.id }));
  await ok(ada.patch('/v0/people/me', { name: 'Ada King' }));
  const pair = await ok(ada.post('/v0/groups', { name: 'Pair', settings: { join_review: 'none' } }));
  const { code } = await ok(ada.post(`/v0/groups/${pair.id}/invites`, { for_age: 'adult' }));
  await ok(gus.post(`/v0/invites/${code}/accept`));
  const trip = await ok(ada.post('/v0/decisions', { title: 'A trip', group: pair.id, questions }));
  const settledPlan = await ok(ada.post('/v0/plans', { ...times, group: pair.id }));
  for (const person of [ada, gus]) {
    const answers = [
      { question_id: 1, answer: 'Sunday' },
      { question_id: 2, answer: 'Tea' },
    ];
    const stances = [1, 2].map((option) => ({ option, stance: 'works' }));
    await ok(person.post(`/v0/decisions/${trip.id}/answers`, { answers }));
    await ok(person.post(`/v0/plans/${settledPlan.id}/stances`, { stances }));
  }
  for (const person of [ada, gus])
    await ok(person.post(`/v0/decisions/${trip.id}/approve`, { decision: 'approved', version: 1 }));

  const kept = await ok(robin.post('/v0/agreements', { ...minutes, with: [wren.address] }));
  await ok(wren.post(`/v0/agreements/${kept.id}/sign`, { terms_digest: kept.terms_digest }));
  const proposed = await ok(
    robin.post('/v0/agreements', { ...minutes, with: [bensAi.address], needs_owners: true }),
  );
  await ok(ben.post(`/v0/requests/${proposed.id}/accept`, {})).catch(() => {});
  await ok(bensAi.post(`/v0/agreements/${proposed.id}/sign`, { terms_digest: proposed.terms_digest }));
  const { approval } = await ok(ben.get(`/v0/agreements/${proposed.id}`));
  await ok(ben.post(`/v0/approvals/${approval}/reply`, { decision: 'approved' }));

  const offer = await ok(wren.post('/v0/meetings/offers', { ...call, to: ['anyone'], times: 2 }));
  const meeting = await ok(gus.post('/v0/meetings', { offer: offer.id, slot: at(30) }));
  await ok(wren.post(`/v0/meetings/${meeting.id}/move`, { starts_at: at(32) }));
  await ok(gus.post(`/v0/meetings/${meeting.id}/move/accept`, {}));

  const post = await ok(wren.post('/v0/commons', { kind: 'offer', text: 'I translate' }));
  await ok(bensAi.post(`/v0/commons/${post.id}/replies`, { text: 'Gladly' }));
  await ok(wren.put('/v0/me/description', { text: 'Sings early' }));
  const report = await ok(bensAi.post('/v0/reports', { about: post.id, reason: 'spam' }));
  await ok(here.operator.post(`/v0/admin/reports/${report.id}/resolve`, { resolution: 'removed' }));

  expect(await replay()).toEqual([]);
});

test('with another home', async () => {
  await ok(owl.post('/v0/messages', { to: away(robin, here), text: 'Hello' }));
  await ok(robin.post('/v0/messages', { to: away(owl), text: 'Hello' }));
  await ok(robin.post('/v0/messages', { to: `nobody.ai-x@${there.name}`, text: 'Hello' }));
  await ok(robin.post('/v0/approvals', { title: 'May I?', to: [away(bob)] }));
  await ok(robin.post('/v0/agreements', { ...minutes, with: [away(owl)] }));
  await ok(owl.post('/v0/agreements', { ...minutes, with: [away(robin, here)] }));
  await ok(owl.post('/v0/meetings/offers', { ...call, to: [away(robin, here)] }));
  await ok(robin.post('/v0/meetings/offers', { ...call, to: [away(owl)] }));
  await acceptInvite(bob);
  await ok(ada.post(`${groupPath}/invites`, { to: away(eve), for_age: 'adult' }));
  await acceptInvite(eve);
  await settle();
  await endAccount(there, eve);
  expect(await replay()).toEqual([]);
});

test('another home after begin-anew', async () => {
  await ok(there.operator.post(`/v0/admin/homes/${here.name}/begin-anew`, { reason: 'new keys' }));
  await settle();
  await ok(owl.post('/v0/messages', { to: away(robin, here), text: 'Hello again' }));
  await ok(owl.post('/v0/agreements', { ...minutes, with: [away(robin, here)] }));
  await ok(owl.post('/v0/meetings/offers', { ...call, to: [away(robin, here)] }));
  await ok(robin.post('/v0/messages', { to: away(owl), text: 'Hello again' }));
  expect(await replay()).toEqual([]);
});

test('endings', async () => {
  const until = new Date(systemClock.now() + 2 * day).toISOString();
  await ok(here.operator.post(`/v0/admin/ais/${wren.id}/suspend`, { until, reason: 'spam' }));
  await ok(here.operator.post(`/v0/admin/ais/${wren.id}/restore`, { reason: 'a mistake' }));
  await ok(ada.delete(`${groupPath}/members/${ben.id}`));
  await ok(ada.delete(`/v0/ais/${adasAi.id}`));
  await ok(ben.delete(`/v0/people/me?confirm=${ben.handle}`));
  await ok(ben.post('/v0/people/me/keep', {}));
  await endAccount(here, gus);
  await endAccount(there, bob);
  await ok(ada.post(`${groupPath}/archive`));
  const lonely = await ok(ada.post('/v0/groups', { name: 'Lonely' }));
  await ok(ada.post(`/v0/groups/${lonely.id}/leave`));
  await ok(here.operator.delete(`/v0/admin/groups/${lonely.id}`));
  const { body } = await eventually(() =>
    apps.arrived.find(
      ({ body: { data, type } }) => type === 'account.deleted' && data.deleted.includes(gus.id),
    ),
  );
  await ok(planner.post(`/v0/app/deletions/${body.id}/confirm`));
  await ok(here.operator.post('/v0/admin/keys/rotate', {}));
  const { keys } = await ok(here.operator.get('/v0/admin/keys'));
  const { kid } = keys.find(({ status }: Body) => status !== 'active');
  await ok(here.operator.post(`/v0/admin/keys/${kid}/revoke`, {}));
  expect(await replay()).toEqual([]);
});

test('every consumer received events', () => {
  const names = [...here.consumers.keys()];
  const idle = names.filter((name) =>
    [here, there].every(({ consumers }) => consumers.get(name)!.batches.length === 0),
  );
  expect(idle).toEqual([]);
});
