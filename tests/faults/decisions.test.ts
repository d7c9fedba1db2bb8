import { setTimeout as sleep } from 'node:timers/promises';
import { fromBinary } from '@bufbuild/protobuf';
import { EventSchema } from '@hearth/proto/events/v1/events';
import { eventually } from '@hearth/testkit/eventually';
import {
  type ApiClient,
  apiClient,
  type Reply,
  type StartedHome,
  startHomeInProcesses,
} from '@hearth/testkit/home';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bringBack } from './support/bring-back.ts';
import { embeddedUrl, onDatabase } from './support/event-log.ts';
import { rounds } from './support/rounds.ts';

// Decisions reach their deadlines and are approved while the home is killed: each has one proposal, one outcome, one
// record and one event for the app.

const count = 8;
let home: StartedHome;
let app: ApiClient;
let people: { id: string; post(path: string, body: object): Promise<Reply> }[];
let group: string;

beforeAll(async () => {
  const limits = {
    decision_deadline_least_seconds: 1,
    decision_object_seconds: 1,
    plan_deadline_least_seconds: 1,
  };
  const env = { HEARTH_LIMITS: JSON.stringify(limits), HEARTH_SEAL_KEY: '' };
  home = await startHomeInProcesses({ topology: 'one', databaseUrl: 'embedded', env });
  const operator = apiClient(home.urls, home.operatorKey);
  const contact = { name: 'Planner', contact_email: 'ops@planner.example' };
  const made = await operator.post('/v0/admin/apps', contact);
  app = apiClient(home.urls, made.body.app_key);
  people = [];
  for (const name of ['Ada', 'Ben', 'Cleo']) {
    const { body } = await app.post('/v0/people', { name, age_band: 'adult' });
    const acting = { 'svc-acting-for': body.id as string };
    people.push({ id: body.id, post: (path, sent) => app.post(path, sent, acting) });
  }
  const [ada, ...others] = people;
  group = (await ada!.post('/v0/groups', { name: 'Club', settings: { join_review: 'none' } })).body.id;
  for (const other of others) {
    const invite = (await ada!.post(`/v0/groups/${group}/invites`, {})).body;
    expect((await other.post(`/v0/invites/${invite.code}/accept`, {})).body.status).toBe('joined');
  }
}, 180_000);
afterAll(() => home?.stop(), 240_000);

async function killAndRestart(): Promise<void> {
  await sleep(200 + Math.random() * 1_500);
  await home.processes[0]!.kill();
  await bringBack(home.processes[0]!);
  await home.ready();
}

const questions = [
  { kind: 'choice', prompt: 'What do we eat?', options: ['Pizza', 'Soup'] },
  { kind: 'bring', prompt: 'What do you bring?' },
];

/** Retries until it counts, because an answer of the home may be lost. */
async function insist(say: () => Promise<Reply>, done: readonly number[]): Promise<void> {
  await eventually(
    () =>
      say().then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => done.includes(status),
    { everyMs: 200 },
  );
}

const read = (id: string) => app.get(`/v0/decisions/${id}`).then(({ body }) => body);

async function rowsOf(statement: string): Promise<string[]> {
  const { rows } = await onDatabase(embeddedUrl(home.dataFolder), (client) =>
    client.query<{ found: string }>(statement),
  );
  return rows.map(({ found }) => found);
}

test(`${count} decisions that expire and are agreed while the home is killed`, async () => {
  const [ada, ben] = people as [(typeof people)[0], (typeof people)[0]];
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const hours = (3 + index / 2) / 3_600;
    const decided = await ada.post('/v0/decisions', {
      title: 'Dinner',
      group,
      questions,
      deadline_hours: hours,
    });
    expect([decided.status, decided.body.error]).toEqual([201, undefined]);
    ids.push(decided.body.id);
    const answers = [
      { question_id: 1, answer: 'Soup' },
      { question_id: 2, answer: 'Wine' },
    ];
    for (const person of [ada, ben])
      await person.post(`/v0/decisions/${decided.body.id}/answers`, { answers });
  }
  for (let round = 0; round < rounds(1, 3); round += 1) await killAndRestart();
  for (const id of ids) {
    const proposed = await eventually(
      () => read(id),
      ({ status }) => status === 'proposed',
      { everyMs: 200 },
    );
    expect(proposed.proposal).toMatchObject({ version: 1, bring: [{ what: 'Wine' }, { what: 'Wine' }] });
  }

  // 400: already agreed, by the approval whose answer was lost.
  const approving = ids.flatMap((id) =>
    [ada, ben].map((person) =>
      insist(
        () => person.post(`/v0/decisions/${id}/approve`, { decision: 'approved', version: 1 }),
        [200, 400],
      ),
    ),
  );
  for (let round = 0; round < rounds(1, 2); round += 1) await killAndRestart();
  await Promise.all(approving);

  for (const id of ids) {
    const agreed = await eventually(
      () => read(id),
      ({ record }) => record !== undefined,
      { everyMs: 200 },
    );
    expect(agreed).toMatchObject({ status: 'agreed', record: { subject: { kind: 'decision', id } } });
    const records = await rowsOf(
      `select json as found from federation.records where json like '%"decision.outcome"%' and json like '%"${id}"%'`,
    );
    expect(records.map((json) => JSON.parse(json))).toEqual([agreed.record]);
  }
  const outcomes = async (): Promise<string[]> =>
    (await app.get('/v0/app/events?limit=100')).body.events.flatMap(
      ({ type, data }: { type: string; data: { id: string; kind: string } }) =>
        type === 'outcome' && data.kind === 'decision' ? data.id : [],
    );
  const told = await eventually(outcomes, (found) => found.length >= count);
  expect(told.sort()).toEqual([...ids].sort());
  const { rows } = await onDatabase(embeddedUrl(home.dataFolder), (client) =>
    client.query<{ event: Buffer }>(`select event from delivery.events where type = 'decision_agreed'`),
  );
  const announced = rows.map(({ event }) => {
    const { data } = fromBinary(EventSchema, event);
    return data.case === 'decisionAgreed' ? data.value.decision?.number.toString() : undefined;
  });
  expect(announced.sort()).toEqual([...ids].sort());
}, 300_000);

test(`${count} plans that expire and are settled while the home is killed`, async () => {
  const [ada, ben] = people as [(typeof people)[0], (typeof people)[0]];
  const options = [{ date: '2090-05-03' }, { date: '2090-05-04' }];
  const planned = (id: string) => app.get(`/v0/plans/${id}`).then(({ body }) => body);
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const deadline_hours = (3 + index / 2) / 3_600;
    const proposed = await ada.post('/v0/plans', { title: 'Rehearsal', group, options, deadline_hours });
    expect([proposed.status, proposed.body.error]).toEqual([201, undefined]);
    ids.push(proposed.body.id);
    // Each option is refused by someone: at the deadline, the people choose.
    for (const [person, stances] of [
      [ada, [['works'], ['doesnt_work']]],
      [ben, [['doesnt_work'], ['works']]],
    ] as const)
      await person.post(`/v0/plans/${proposed.body.id}/stances`, {
        stances: stances.map(([stance], at) => ({ option: at + 1, stance })),
      });
  }
  for (let round = 0; round < rounds(1, 2); round += 1) await killAndRestart();
  for (const id of ids)
    await eventually(
      () => planned(id),
      ({ clash_at }) => clash_at !== undefined,
      { everyMs: 200 },
    );

  // 400: already settled, by the choice whose answer was lost.
  const choosing = ids.flatMap((id) =>
    [ada, ben].map((person) =>
      insist(() => person.post(`/v0/plans/${id}/choose`, { option: 2 }), [200, 400]),
    ),
  );
  for (let round = 0; round < rounds(1, 2); round += 1) await killAndRestart();
  await Promise.all(choosing);

  for (const id of ids) {
    const settled = await eventually(
      () => planned(id),
      ({ record }) => record !== undefined,
      { everyMs: 200 },
    );
    expect(settled).toMatchObject({ status: 'settled', settled_option: 2, record: { subject: { id } } });
    const records = await rowsOf(
      `select json as found from federation.records where json like '%"plan.outcome"%' and json like '%"${id}"%'`,
    );
    expect(records.map((json) => JSON.parse(json))).toEqual([settled.record]);
  }
  const outcomes = async (): Promise<string[]> =>
    (await app.get('/v0/app/events?limit=100')).body.events.flatMap(
      ({ type, data }: { type: string; data: { id: string; kind: string } }) =>
        type === 'outcome' && data.kind === 'plan' ? data.id : [],
    );
  const told = await eventually(outcomes, (found) => found.length >= count);
  expect(told.sort()).toEqual([...ids].sort());
}, 300_000);
