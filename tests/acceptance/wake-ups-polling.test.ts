import { eventually } from '@hearth/testkit/eventually';
import { type ApiClient, apiClient, type Reply, type TestAi } from '@hearth/testkit/home';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ask, settle } from '../support/approvals.ts';
import { join, newApp, newChild, newGroup, newPerson, type TestPerson } from '../support/apps.ts';
import { anonymous, atEachGateway, expectStatus, newAi, newAis, query, urls } from '../support/home.ts';
import { send } from '../support/messages.ts';
import { notFoundBody } from '../support/refusals.ts';
import { timed } from '../support/timed.ts';
import { newAiOf } from './authorization/cast.ts';

interface Polled {
  events: { eventId: string; name: string; timestamp: string; data: Record<string, unknown> }[];
  cursor: string;
  nextPollMs: number;
  hasMore: boolean;
  truncated: boolean;
}

type Asking = Pick<ApiClient, 'get'>;

const poll = (who: Asking, parameters: Parameters<typeof query>[0] = {}, id = 'me') =>
  who.get(`/v0/ais/${id}/events${query(parameters)}`);
const polled = async (...asked: Parameters<typeof poll>): Promise<Polled> =>
  expectStatus(await poll(...asked), 200).body;
const begin = async (...asked: Parameters<typeof poll>) => (await polled(...asked)).cursor;

/** The events after a cursor, once there are that many. Events are recorded a moment after their cause. */
async function comes(who: Asking, cursor: string, count: number, parameters = {}): Promise<Polled> {
  return await eventually(
    () => polled(who, { cursor, ...parameters }),
    ({ events }) => events.length >= count,
  );
}

const namesOf = ({ events }: Polled) => events.map(({ name }) => name);

/** A person's AI with its own key. */
async function aiOf(person: TestPerson, permissions = ['read', 'message']) {
  const ai = await newAiOf(person, permissions);
  return { ...ai, ...apiClient(urls(), ai.key) };
}

describe('the list of events', () => {
  test('is public, and describes the events', async () => {
    const reply = await anonymous().get('/v0/events');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('cache-control')).toContain('max-age=300');
    const { events } = reply.body as { events: Record<string, unknown>[] };
    expect(events).toHaveLength(9);
    for (const event of events) {
      expect(Object.keys(event).sort()).toEqual(
        ['delivery', 'description', 'inputSchema', 'name', 'payloadSchema'].sort(),
      );
      expect(event['delivery']).toEqual(['webhook', 'poll']);
    }
  });

  test('has the schema of the polled events', async () => {
    const { events } = (await anonymous().get('/v0/events')).body;
    const [robin, wren] = (await newAis(2)) as [TestAi, TestAi];
    const cursor = await begin(robin);
    await send(wren, robin, 'hello');
    const { payloadSchema } = events.find(({ name }: { name: string }) => name === 'message.direct');
    const validate = new Ajv2020({ validateFormats: false }).compile(payloadSchema);
    for (const { data } of (await comes(robin, cursor, 1)).events)
      expect([validate(data), validate.errors]).toEqual([true, null]);
  });
});

describe('polling', () => {
  test('starts with a cursor and continues with new events', async () => {
    const [robin, wren] = (await newAis(2)) as [TestAi, TestAi];
    const start = await begin(robin);
    await send(wren, robin, 'before');
    await comes(robin, start, 1);
    const first = await polled(robin);
    expect(first).toEqual({
      events: [],
      cursor: expect.any(String),
      nextPollMs: 30_000,
      hasMore: false,
      truncated: false,
    });
    const { id, thread } = await send(wren, robin, 'hello');
    const answer = await comes(robin, first.cursor, 1);
    expect(answer.events).toEqual([
      {
        eventId: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
        name: 'message.direct',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        data: { message_id: id, thread, from: wren.address, box: 'inbox' },
      },
    ]);
    expect(answer).toMatchObject({ nextPollMs: 30_000, hasMore: false, truncated: false });
    expect((await polled(robin, { cursor: answer.cursor })).events).toEqual([]);
    // The message can be read; its own acts do not wake the sender.
    expect((await robin.get(`/v0/messages/${id}`)).body.text).toBe('hello');
  });

  test('works at every gateway, and returns new events at once', async () => {
    const [robin, wren] = (await newAis(2)) as [TestAi, TestAi];
    const gateways = atEachGateway(robin.key);
    const cursor = await begin(gateways[0]!);
    for (const gateway of gateways) expect((await polled(gateway, { cursor })).events).toEqual([]);
    await send(wren, robin, 'hello');
    const answers = await Promise.all(gateways.map((gateway) => comes(gateway, cursor, 1)));
    for (const answer of answers) expect(answer.events).toEqual(answers[0]!.events);
  });

  test('comes in pages, with each event once and in total order', async () => {
    const [robin, wren] = (await newAis(2)) as [TestAi, TestAi];
    let cursor = await begin(robin);
    const sent: string[] = [];
    for (const text of ['1', '2', '3', '4', '5']) sent.push((await send(wren, robin, text)).id);
    // Events of the same moment may be recorded in any order, which never changes afterwards.
    const whole = (await comes(robin, cursor, 5)).events.map(({ data }) => data['message_id']);
    expect([...whole].sort()).toEqual([...sent].sort());
    const got: unknown[] = [];
    const more: boolean[] = [];
    for (let page = 0; page < 3; page += 1) {
      const answer = await polled(robin, { cursor, limit: 2 });
      got.push(...answer.events.map(({ data }) => data['message_id']));
      more.push(answer.hasMore);
      cursor = answer.cursor;
    }
    expect([got, more]).toEqual([whole, [true, true, false]]);
  });

  test.each([
    [{ cursor: 'x' }, 'cursor', /must be the cursor of an earlier answer/],
    [{ cursor: '' }, 'cursor', /must be the cursor of an earlier answer/],
    [{ name: 'message' }, 'name', /must be one of decision\.needs_you/],
    [{ name: 'message.directs' }, 'name', /did you mean message\.direct\?/],
    [{ group: '&family' }, 'group', /must be the id of a group/],
    [{ name: 'ask.answered', group: `grp_${'0'.repeat(32)}` }, 'group', /cannot narrow ask\.answered/],
    [{ limit: 0 }, 'limit', /./],
    [{ limit: 101 }, 'limit', /./],
    [{ max_age_ms: -1 }, 'max_age_ms', /./],
    [{ max_age_ms: 'long' }, 'max_age_ms', /./],
  ])('refuses %j, naming the field', async (parameters, field, words) => {
    const reply = await poll(await newAi(), parameters);
    expect([reply.status, reply.body.field]).toEqual([400, field]);
    expect(reply.body.error).toMatch(words);
  });

  test('refuses the cursor of another AI', async () => {
    const [robin, wren] = (await newAis(2)) as [TestAi, TestAi];
    const reply = await poll(robin, { cursor: await begin(wren) });
    expect([reply.status, reply.body.field]).toEqual([400, 'cursor']);
  });

  test('needs the key of the AI', async () => {
    expect((await poll(anonymous())).status).toBe(401);
  });
});

describe('asks and answers', () => {
  let ada: TestPerson;
  let ben: TestPerson;

  beforeAll(async () => {
    const app = await newApp();
    [ada, ben] = [await newPerson(app), await newPerson(app)];
    await join(await newGroup(ada), ben);
  });

  test('an ask to a person wakes each of their AIs, and its answer wakes the asker', async () => {
    const [robin, wren] = await Promise.all([aiOf(ben), aiOf(ben)]);
    const asking = await aiOf(ada);
    const cursors = await Promise.all([robin, wren, asking].map((ai) => begin(ai)));
    const asked = await ask(asking, [ben.address]);
    for (const [index, ai] of [robin, wren].entries()) {
      const { events } = await comes(ai, cursors[index]!, 1);
      expect(events[0]).toMatchObject({
        name: 'approval.requested',
        data: {
          approval_id: asked.id,
          title: asked.title,
          kind: 'ask',
          from: asking.address,
          to_you: false,
          front_door: false,
          expires_at: asked.expires_at,
        },
      });
      // People who share a group are not strangers.
      expect(events[0]!.data).not.toHaveProperty('request_kind');
      expect((await ai.get(`/v0/approvals/${asked.id}`)).status).toBe(200);
    }
    await settle(ben, asked.id, 'approved');
    const { events } = await comes(asking, cursors[2]!, 1);
    expect(events[0]).toMatchObject({
      name: 'ask.answered',
      data: { approval_id: asked.id, status: 'approved' },
    });
  });

  test('an ask to an AI wakes only that AI, marked as addressed to it', async () => {
    const [robin, wren] = await Promise.all([aiOf(ben), aiOf(ben)]);
    const [atRobin, atWren] = [await begin(robin), await begin(wren)];
    const asked = await ask(ada, [robin.address]);
    const { events } = await comes(robin, atRobin, 1);
    expect(events[0]!.data).toMatchObject({ approval_id: asked.id, to_you: true });
    expect((await polled(wren, { cursor: atWren })).events).toEqual([]);
  });

  test('a message from a stranger wakes the AI at the front door', async () => {
    const [door, other] = await Promise.all([aiOf(ben), aiOf(ben)]);
    const rules = { front_door: door.address, rules: { other: { action: 'front_door' } } };
    expectStatus(await ben.put('/v0/request-rules', rules), 200);
    const stranger = await aiOf(await newPerson(await newApp()));
    const [atDoor, atOther] = [await begin(door), await begin(other)];
    const asked = await ask(stranger, [ben.address]);
    // Two services announce independently, so their order is open.
    await comes(door, atDoor, 1);
    const message = await send(stranger, ben, 'hello');
    const { events } = await comes(door, atDoor, 2);
    expect(events.map(({ name, data }) => [name, data['approval_id'] ?? data['message_id']])).toEqual([
      ['approval.requested', asked.id],
      ['message.direct', message.id],
    ]);
    expect(events[0]!.data).toMatchObject({ to_you: false, front_door: true, request_kind: 'other' });
    expect(events[1]!.data).toMatchObject({ box: 'front_door' });
    expect((await door.get(`/v0/messages/${message.id}`)).status).toBe(200);
    expect((await polled(other, { cursor: atOther })).events).toEqual([]);
    expectStatus(await ben.put('/v0/request-rules', { rules: { other: { action: 'ask' } } }), 200);
  });

  test('a quiet request wakes nobody, nor does a message to a person', async () => {
    const robin = await aiOf(ben);
    const cursor = await begin(robin);
    const ownerless = await newAi();
    await ask(ownerless, [ben.address]);
    await send(ownerless, ben, 'hello');
    await send(ada, ben, 'hello');
    const last = await send(ada, robin, 'to you');
    const { events } = await comes(robin, cursor, 1);
    expect(events[0]!.data['message_id']).toBe(last.id);
  });

  test('are filtered by name and group, and another group has none', async () => {
    const [group, elsewhere] = await Promise.all([newGroup(ada), newGroup(ada)]);
    await join(group, ben);
    const robin = await aiOf(ben);
    const stranger = await aiOf(await newPerson(await newApp()));
    const cursor = await begin(robin);
    const asked = await ask(await aiOf(ada, ['read', 'message', 'group']), [ben.address], {
      group: group.id,
    });
    const near = await send(ada, robin, 'from the group');
    const far = await send(stranger, robin, 'from afar');
    await comes(robin, cursor, 3);
    const found = async (parameters: object) =>
      (await polled(robin, { cursor, ...parameters })).events.map(
        ({ data }) => data['message_id'] ?? data['approval_id'],
      );
    expect(await found({ group: group.id })).toEqual([asked.id, near.id]);
    expect(await found({ group: group.id, name: 'message.direct' })).toEqual([near.id]);
    expect(await found({ name: 'message.direct' })).toEqual([near.id, far.id]);
    expect(await found({ name: 'approval.requested' })).toEqual([asked.id]);
    for (const other of [elsewhere.id, `grp_${'0'.repeat(32)}`])
      expect(await found({ group: other })).toEqual([]);
  });
});

describe('access to the events of an AI', () => {
  test('an app polls for the AIs of the person for whom it acts', async () => {
    const [app, other] = await Promise.all([newApp(), newApp()]);
    const [ada, eve] = await Promise.all([newPerson(app), newPerson(other)]);
    const robin = await aiOf(ada);
    const cursor = await begin(ada, {}, robin.id);
    const { id } = await send(ada, robin, 'hello');
    const answer = await eventually(
      () => polled(ada, { cursor }, robin.id),
      ({ events }) => events.length > 0,
    );
    expect(answer.events).toHaveLength(1);
    expect(answer.events[0]!.data['message_id']).toBe(id);
    expect((await polled(app.as(robin.id), { cursor })).events).toEqual(answer.events);
    for (const [who, asked] of [
      [eve, robin.id],
      [ada, `ai_${'0'.repeat(32)}`],
      [ada, ada.id],
    ] as const) {
      const reply = await poll(who, {}, asked);
      expect([reply.status, reply.body]).toEqual([404, await notFoundBody(ada)]);
    }
    expect((await poll(ada)).body).toMatchObject({ field: 'id' });
    expect((await poll(app)).body.error).toContain('Svc-Acting-For');
  });

  test('an AI released by its person loses earlier events, and the poll says so', async () => {
    const app = await newApp();
    const [ada, ben] = [await newPerson(app), await newPerson(app)];
    await join(await newGroup(ada), ben);
    const robin = await newAi();
    const cursor = await begin(robin);
    const before = await send(await newAi(), robin, 'before');
    await comes(robin, cursor, 1);
    const { claim_link: token } = (await robin.get('/v0/me')).body;
    expectStatus(await ada.post('/v0/ais/claim', { token }), 200, 201);
    // The claim changes the events that wake the AI, at the latest from its next poll.
    await polled(robin, { cursor });
    const asked = await ask(ben, [ada.address]);
    const owned = await comes(robin, cursor, 2);
    expect(owned.events.map(({ data }) => data['message_id'] ?? data['approval_id'])).toEqual([
      before.id,
      asked.id,
    ]);
    expect(owned.truncated).toBe(false);
    expectStatus(await robin.post('/v0/me/not-my-person'), 200);
    const left = await eventually(
      () => polled(robin, { cursor }),
      ({ truncated }) => truncated,
    );
    expect(left.events).toEqual([]);
    await ask(ben, [ada.address]);
    const { id } = await send(await newAi(), robin, 'after');
    const next = await comes(robin, left.cursor, 1);
    expect(next.events[0]!.data['message_id']).toBe(id);
    expect(next.truncated).toBe(false);
  });

  test('an AI without the permission read cannot poll', async () => {
    const ada = await newPerson(await newApp());
    const robin = await aiOf(ada);
    const cursor = await begin(robin);
    expectStatus(await ada.patch(`/v0/ais/${robin.id}`, { permissions: ['message'] }), 200);
    const refused = await eventually(
      () => poll(robin, { cursor }),
      ({ status }) => status !== 200,
    );
    expect(refused.status).toBe(403);
    expect(refused.body.error).toContain('read');
    const throughApp = await poll(ada, { cursor }, robin.id);
    expect(throughApp.status).toBe(403);
  });

  test('a switched-off AI cannot poll', async () => {
    const robin = await newAi();
    const cursor = await begin(robin);
    expectStatus(await robin.delete('/v0/ais/me'), 200);
    const refused = await eventually(
      () => poll(robin, { cursor }),
      ({ status }) => status !== 200,
    );
    expect(refused.status).toBe(401);
  });

  test('an AI of a child is woken once their guardian lets AIs act', async () => {
    const app = await newApp();
    const guardian = await newPerson(app);
    const child = await newChild(guardian, { name: 'Kestrel Quillfeather' });
    const robin = await newAiOf(guardian, ['read', 'message']);
    expectStatus(await guardian.patch(`/v0/people/${child.id}`, { ai_share: true }), 200);
    const created = await guardian.post('/v0/ais', {
      name: 'Kid',
      permissions: ['read', 'message'],
      person: child.id,
    });
    const kids = expectStatus(created, 201).body;
    const kid = apiClient(urls(), kids.connector_key);
    const cursor = await begin(kid);
    const atRobin = await begin(apiClient(urls(), robin.key));
    const { id } = await send(guardian, { address: kids.ai.address }, 'bedtime');
    const answer = await comes(kid, cursor, 1);
    expect(answer.events[0]!.data).toMatchObject({ message_id: id });
    const back = await send(kid, guardian, 'already?');
    expect((await polled(apiClient(urls(), robin.key), { cursor: atRobin })).events).toEqual([]);
    expect(back.id).toMatch(/^msg_/);
    expectStatus(await guardian.patch(`/v0/people/${child.id}`, { ai_share: false }), 200);
    const refused = await eventually(
      () => poll(kid, { cursor }),
      ({ status }) => status !== 200,
    );
    expect(refused.status).toBe(403);
  });
});

describe('held polling', () => {
  const wait = (who: Asking, parameters = {}): Promise<Reply> =>
    who.get(`/v0/ais/me/events/wait${query(parameters)}`);

  test('begins at once, and is answered the moment that something happens', async () => {
    const [robin, wren] = (await newAis(2)) as [TestAi, TestAi];
    const first = await timed(wait(robin, { wait: 20 }));
    expect(first.ms).toBeLessThan(2_000);
    expect(first.result.body).toMatchObject({ events: [], hasMore: false });
    const { cursor } = first.result.body;
    const held = timed(wait(robin, { cursor, wait: 20 }));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { id } = await send(wren, robin, 'hello');
    const { result, ms } = await held;
    expect(result.body.events).toMatchObject([{ name: 'message.direct', data: { message_id: id } }]);
    expect(ms).toBeLessThan(5_000);
  });

  test('ends empty at its timeout, and continues with the same cursor', async () => {
    const [robin, wren] = (await newAis(2)) as [TestAi, TestAi];
    const { cursor } = (await wait(robin)).body;
    const { result, ms } = await timed(wait(robin, { cursor, wait: 1 }));
    expect(result.body).toMatchObject({ events: [], hasMore: false, truncated: false });
    expect(ms).toBeGreaterThanOrEqual(990);
    const held = wait(robin, { cursor: result.body.cursor, wait: 20, name: 'message.direct' });
    await send(wren, robin, 'hello');
    expect(namesOf((await held).body)).toEqual(['message.direct']);
  });
});
