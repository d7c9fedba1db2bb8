import { eventually } from '@hearth/testkit/eventually';
import { type ApiClient, apiClient, type StartedHome, startHomeInProcesses } from '@hearth/testkit/home';
import { createTestDatabase, type TestDatabase } from '@hearth/testkit/postgres';
import { type SmtpSink, startSmtpSink } from '@hearth/testkit/smtp-sink';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clientOf } from '../support/acting.ts';
import { expectStatus } from '../support/home.ts';
import { type CallbackReceiver, startCallbackReceiver } from './support/callback-receiver.ts';
import { onDatabase } from './support/event-log.ts';
import { sentMails } from './support/sent-mails.ts';
import { findHomeKeys, isSignedByHome } from './support/signed-by-home.ts';
import { loadVersionBefore, readVersionBefore } from './support/version-before.ts';

// A home starts on the previous version's database: everything pending is still pending, and every mail and callback in
// hand arrives once.
const before = readVersionBefore();
const { things } = before;
let database: TestDatabase;
let sink: SmtpSink;
let receiver: CallbackReceiver;
let home: StartedHome;

beforeAll(async () => {
  [database, sink, receiver] = await Promise.all([
    createTestDatabase(),
    startSmtpSink(),
    startCallbackReceiver(),
  ]);
  await loadVersionBefore(database.url, before, receiver.origin);
  // Makes the next attempts due.
  await onDatabase(database.url, (client) =>
    client.query(`
      update approvals.recipients set mail_next_at = now() where mail_next_at is not null;
      update approvals.callbacks set next_at = now() where status = 'waiting';
      update groups.mails set next_at = now();
      update delivery.mails set due_at = now() where due_at is not null;
      update delivery.app_streams set mail_due_at = now() where mail_due_at is not null;`),
  );
  home = await startHomeInProcesses({
    topology: 'one',
    databaseUrl: database.url,
    env: {
      ...before.env,
      HEARTH_LIMITS: 'relaxed',
      HEARTH_DEV_CALLBACKS: receiver.origin,
      SMTP_URL: sink.url,
    },
  });
});
afterAll(async () => {
  await home?.stop();
  await Promise.all([sink?.stop(), receiver?.stop()]);
  await database?.drop();
});

const as = (called: string): ApiClient => clientOf(home.urls, before.credentials[called]!);
const addressOf = async (called: string) => expectStatus(await as(called).get('/v0/me'), 200).body.address;
const requestsOf = async (called: string): Promise<{ id: string; front_door: boolean }[]> => {
  const { requests } = expectStatus(await as(called).get('/v0/requests?limit=100'), 200).body;
  // The link to the sender's card was added later.
  return requests.map(
    ({ card, ...request }: { id: string; card: string; from: string; front_door: boolean }) => {
      expect(card).toBe(`${home.urls[0]}/v0/cards/${request.from}`);
      return request;
    },
  );
};
const waitingOf = async (called: string) => expectStatus(await as(called).get('/v0/me'), 200).body.waiting;
const idsOf = async (called: string) => (await requestsOf(called)).map(({ id }: { id: string }) => id);
const comes = (called: string, ...names: string[]) =>
  eventually(
    () => idsOf(called),
    (ids) => JSON.stringify(ids.toSorted()) === JSON.stringify(names.map((name) => things[name]).toSorted()),
  );

test.each(Object.keys(before.shown))('%s sees the same as before', async (called) => {
  const { requests, waiting } = before.shown[called]!;
  const same = (seen: unknown, expected: unknown) => JSON.stringify(seen) === JSON.stringify(expected);
  // A job notes the items after the start.
  await eventually(
    () => requestsOf(called),
    (seen) => same(seen, requests),
  ).catch(() => {});
  expect(await requestsOf(called)).toEqual(requests);
  // Decisions, plans and agreements were added later.
  expect(await waitingOf(called)).toEqual({
    ...waiting,
    decisions: { count: 0 },
    plans: { count: 0 },
    agreements: { count: 0 },
  });
});

test('every pending mail is sent once, to permitted recipients only', async () => {
  const expected = [
    ['ada@example.com', `/a/${things['noticed']}`],
    ['ada@example.com', 'The train'],
    ['ops@gone.example', 'no longer sends events'],
    ['vic@else.example', 'Walks'],
    ['xia@else.example', things['mailedAndReminded']],
    ['yan@else.example', things['mailed']],
    ['zoe@else.example', things['mailed']],
  ] as const;
  const seen = await eventually(
    async () => sentMails(sink),
    ({ length }) => length >= expected.length,
  );
  const sorted = seen.toSorted((one, other) =>
    `${one.to} ${one.text}` < `${other.to} ${other.text}` ? -1 : 1,
  );
  expect(sorted.map(({ to }) => to)).toEqual(expected.map(([to]) => to));
  for (const [to, words] of expected)
    expect(seen.filter((mail) => mail.to === to && mail.text.includes(words!))).toHaveLength(1);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(expected.length);
});

test('every pending callback arrives once, with its id and a signature of the home', async () => {
  const keys = await findHomeKeys(apiClient(home.urls));
  const ids = [things['approved']!, things['declined']!];
  await eventually(
    async () => receiver.arrived.length,
    (count) => count >= ids.length,
  );
  expect(receiver.arrived.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  for (const arrival of receiver.arrived) {
    expect(isSignedByHome(keys, arrival)).toBe(true);
    const shown = await as(arrival.id === things['declined'] ? 'ann' : 'robin').get(
      `/v0/approvals/${arrival.id}`,
    );
    const { signed_answer: signed, status } = expectStatus(shown, 200).body;
    expect(JSON.parse(arrival.body)).toMatchObject({ id: arrival.id, status, signed_answer: signed });
  }
});

test('items waiting for a guardian move to the next one, who admits them', async () => {
  const path = `/v0/people/${before.ids['kit']}/guardian`;
  expectStatus(await as('gus').put(path, { guardian: before.ids['hal'] }), 200);
  await comes('hal', 'messageToKit', 'askToKit', 'inviteToKit');
  await comes('gus');
  for (const name of ['messageToKit', 'inviteToKit', 'askToKit'])
    expect((await as('gus').post(`/v0/requests/${things[name]}/accept`)).status).toBe(404);
  const accept = async (name: string) =>
    expectStatus(await as('hal').post(`/v0/requests/${things[name]}/accept`), 200).body.status;
  expect([await accept('inviteToKit'), await accept('messageToKit')]).toEqual(['joined', 'inbox']);
  const reply = await as('hal').post(`/v0/approvals/${things['askToKit']}/reply`, { decision: 'approved' });
  expect(expectStatus(reply, 200).body.status).toBe('approved');
  expect(await idsOf('hal')).toEqual([]);
});

test('items at a front door move to its person when it closes, and are passed on where it is open', async () => {
  expectStatus(await as('dora').delete(`/v0/ais/${before.ids['door']}`), 200);
  await comes('dora', 'messageToDora', 'askToDora', 'askToMany', 'inviteToDora');
  for (const { front_door } of await requestsOf('dora')) expect(front_door).toBe(false);
  const pass = (name: string) => as('evesDoor').post(`/v0/approvals/${things[name]}/pass`, { to: 'person' });
  expectStatus(await pass('askToEve'), 200);
  await comes('eve', 'askToEve', 'askPassed', 'invitePassed');
});

test('pending items end: accepted, declined, and by a block', async () => {
  const act = async (name: string, how: string) =>
    expectStatus(await as('ben').post(`/v0/requests/${things[name]}/${how}`), 200).body.status;
  expect(await act('inviteToBen', 'accept')).toBe('joined');
  expect(await act('relabelled', 'accept')).toBe('inbox');
  await act('secondToBen', 'decline');
  const { messages } = expectStatus(await as('wren').get('/v0/messages'), 200).body;
  expect(messages[0]).toMatchObject({ from: await addressOf('ben'), box: 'inbox' });
  const robin = encodeURIComponent(await addressOf('robin'));
  expectStatus(await as('ben').put(`/v0/blocks/${robin}`), 200);
  await comes('ben', 'askToBensAi');
  await comes('bensAi', 'askToBensAi');
  // Everyone's answer was needed, so the ask to many fails, and its asker gets a callback.
  const told = await eventually(
    async () => receiver.of(things['askToMany']!),
    ({ length }) => length > 0,
  );
  expect(told.map(({ body }) => JSON.parse(body).status)).toEqual(['declined']);
});
