import { eventually } from '@hearth/testkit/eventually';
import { apiClient } from '@hearth/testkit/home';
import { beforeAll, describe, expect, test } from '@jest/globals';
import ical, { type VEvent } from 'node-ical';
import {
  join,
  newApp,
  newChild,
  newGroup,
  newPerson,
  type TestApp,
  type TestGroup,
  type TestPerson,
} from '../support/apps.ts';
import { anonymous, expectStatus, urls } from '../support/home.ts';
import { newAiOf } from './authorization/cast.ts';

// A family settles an evening: two AIs, a child, a person without an AI, and a person who must not know of it.

let app: TestApp;
let ada: TestPerson;
let ben: TestPerson;
let child: TestPerson;
let quiet: TestPerson;
let birthday: TestPerson;
let group: TestGroup;
const ai: Record<'ada' | 'ben', ReturnType<typeof apiClient>> = {} as never;

beforeAll(async () => {
  app = await newApp();
  [ada, ben, quiet, birthday] = (await Promise.all([1, 2, 3, 4].map(() => newPerson(app)))) as [
    TestPerson,
    TestPerson,
    TestPerson,
    TestPerson,
  ];
  child = await newChild(ada);
  group = await newGroup(ada, { time_zone: 'Europe/Zurich' });
  for (const person of [ben, quiet, birthday]) await join(group, person);
  await join(group, child, ada);
  const permissions = ['read', 'message', 'group'];
  ai.ada = apiClient(urls(), (await newAiOf(ada, permissions)).key);
  ai.ben = apiClient(urls(), (await newAiOf(ben, permissions)).key);
});

const dinner = {
  title: 'A birthday',
  questions: [
    { kind: 'when', prompt: 'Which evening?', options: ['2090-05-03T18:00', '2090-05-04T18:00'] },
    { kind: 'choice', prompt: 'What do we eat?', options: ['Pizza', 'Soup'] },
    { kind: 'bring', prompt: 'What do you bring?' },
  ],
};
const [first, second] = ['2090-05-03T16:00:00Z', '2090-05-04T16:00:00Z'] as const;
const answers = (when: string[], what: string, bring: string, firm = false) => ({
  answers: [
    { question_id: 1, answer: when, firm },
    { question_id: 2, answer: what },
    { question_id: 3, answer: bring },
  ],
});

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
const ok = async (reply: Promise<any>): Promise<any> => expectStatus(await reply, 200, 201).body;
const eventsOf = async (type: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: events of every type.
  (await ok(app.get('/v0/app/events?limit=100'))).events.filter((event: any) => event.type === type);

describe('a decision of a family', () => {
  test('goes from the questions to a signed outcome', async () => {
    const { cursor } = await ok(ai.ben.get('/v0/ais/me/events'));
    const started = await ok(
      ai.ada.post('/v0/decisions', {
        ...dinner,
        group: group.address,
        hidden_from: birthday.address,
        needs: 'all',
      }),
    );
    const path = `/v0/decisions/${started.id}`;
    expect(started).toMatchObject({ status: 'open', people_asked: 4, people_answered: 0 });

    // Ben's AI is woken; the app tells the person without an AI; the person who must not know hears nothing.
    const woken = await eventually(
      () => ok(ai.ben.get(`/v0/ais/me/events?cursor=${encodeURIComponent(cursor)}`)),
      ({ events }) => events.length > 0,
    );
    expect(woken.events[0]).toMatchObject({
      name: 'decision.needs_you',
      data: { decision: started.id, title: dinner.title, group: group.id, questions: 3 },
    });
    const params = { name: 'get_decision', arguments: { id: woken.events[0].data.decision } };
    const called = await ok(ai.ben.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    expect(called.result.structuredContent).toMatchObject({ id: started.id, status: 'open' });
    const told = await eventually(
      async () =>
        (await eventsOf('notify')).filter(
          (event: { data: { kind: string } }) => event.data.kind === 'decision',
        ),
      (events) => events.length > 0,
    );
    expect(told.map((event: { data: { person: string } }) => event.data.person)).toEqual([quiet.id]);

    // Firm answers clash; the people choose the same option.
    await ok(ai.ada.post(`${path}/answers`, answers([first], 'Soup', 'Wine', true)));
    const clash = await ok(ai.ben.post(`${path}/answers`, answers([second], 'Soup', 'wine', true)));
    expect(clash).toMatchObject({ status: 'clash', clash: { question_id: 1 } });
    expect((await ai.ben.post(`${path}/clash`, { question_id: 1, answer: second })).status).toBe(403);
    for (const person of [ada, ben])
      await ok(person.post(`${path}/clash`, { question_id: 1, answer: '2090-05-04T18:00' }));

    // Everyone approves the proposal; for the child, the guardian's tap counts.
    const proposed = await ok(quiet.get(path));
    expect(proposed).toMatchObject({
      status: 'proposed',
      proposal: {
        version: 1,
        when: second,
        bring: [{ duplicate: true }, { duplicate: true }],
      },
    });
    for (const person of [ben, quiet])
      await ok(person.post(`${path}/approve`, { decision: 'approved', version: 1 }));
    const agreed = await ok(ada.post(`${path}/approve`, { decision: 'approved', version: 1 }));
    expect(agreed.status).toBe('agreed');

    // The record verifies, the calendar shows the hour, and the app receives the event and links its item.
    const { record } = await eventually(
      () => ok(ben.get(path)),
      (shown) => shown.record !== undefined,
    );
    expect(await ok(anonymous().post('/v0/verify', { record }))).toMatchObject({
      valid: true,
      type: 'decision.outcome',
    });
    const file = await fetch(`${urls()[0]}${path}.ics`, {
      headers: { authorization: `Bearer ${app.key}`, 'svc-acting-for': ben.id },
    });
    expect(file.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    const [event] = Object.values(ical.sync.parseICS(await file.text())).filter(
      (component): component is VEvent => component?.type === 'VEVENT',
    );
    expect([event?.summary, event?.start.toISOString()]).toEqual([dinner.title, '2090-05-04T16:00:00.000Z']);
    const [outcome] = await eventually(
      async () =>
        (await eventsOf('outcome')).filter(
          (event: { data: { kind: string } }) => event.data.kind === 'decision',
        ),
      (events) => events.length > 0,
    );
    expect(outcome.data).toMatchObject({
      kind: 'decision',
      id: started.id,
      status: 'agreed',
      group: group.id,
      when: '2090-05-04T16:00:00Z',
      hidden_from: [birthday.id],
    });
    await ok(
      app.put(`/v0/outcomes/decision/${started.id}`, { item_ref: 'evening-7', list_ref: 'shopping-7' }),
    );
    expect((await ok(app.get(path))).outcome).toEqual({ item_ref: 'evening-7', list_ref: 'shopping-7' });
    expect((await ok(ai.ben.get(path))).outcome).toBeUndefined();

    // The person whose birthday it is sees nothing of it.
    expect((await birthday.get(path)).status).toBe(404);
    expect((await ok(birthday.get('/v0/decisions'))).decisions).toEqual([]);
    const activity = JSON.stringify(await ok(birthday.get('/v0/activity')));
    expect(activity).not.toContain(dinner.title);
  });

  test('can be waited for, and counts in whoami', async () => {
    const { id, revision } = await ok(
      ada.post('/v0/decisions', { ...dinner, title: 'Live', group: group.id }),
    );
    expect((await ok(ben.get('/v0/me'))).waiting.decisions.count).toBeGreaterThan(0);
    const held = ok(ben.get(`/v0/decisions/${id}?wait=20&revision=${revision}`));
    await ok(ada.post(`/v0/decisions/${id}/answers`, answers([first], 'Pizza', 'Salad')));
    expect((await held).revision).toBe(revision + 1);
    const listed = await ok(ben.get('/v0/decisions?waiting_on=me&status=open'));
    expect(listed.decisions.map((decision: { id: string }) => decision.id)).toContain(id);
    await ok(ada.delete(`/v0/decisions/${id}`));
  });
});

describe('a plan of a family', () => {
  const rehearsal = {
    title: 'Rehearsal',
    options: [{ starts_at: '2090-05-03T18:00', ends_at: '2090-05-03T20:00' }, { date: '2090-05-04' }],
    where: 'Town house',
  };
  const stances = (first: string, second: string) => ({
    stances: [
      { option: 1, stance: first },
      { option: 2, stance: second },
    ],
  });

  test('goes from its proposed times to a signed outcome', async () => {
    const { cursor } = await ok(ai.ben.get('/v0/ais/me/events'));
    const proposed = await ok(
      ai.ada.post('/v0/plans', { ...rehearsal, group: group.address, hidden_from: birthday.address }),
    );
    const path = `/v0/plans/${proposed.id}`;
    expect(proposed).toMatchObject({
      status: 'open',
      time_zone: 'Europe/Zurich',
      options: [{ id: 1 }, { id: 2 }],
    });
    const woken = await eventually(
      () => ok(ai.ben.get(`/v0/ais/me/events?cursor=${encodeURIComponent(cursor)}`)),
      ({ events }) => events.some(({ name }: { name: string }) => name === 'plan.proposed'),
    );
    expect(woken.events.find(({ name }: { name: string }) => name === 'plan.proposed')).toMatchObject({
      data: { plan: proposed.id, title: rehearsal.title, group: group.id, options: 2 },
    });
    expect((await ok(ben.get('/v0/me'))).waiting.plans).toMatchObject({ count: 1 });

    // No time works for everyone: the people choose, and the guardian chooses for the child.
    await ok(ada.post(`${path}/stances`, stances('works', 'doesnt_work')));
    expect((await ai.ben.post(`${path}/stances`, stances('approve', 'works'))).body).toMatchObject({
      code: 'needs_person',
      needs_person: true,
    });
    await ok(ai.ben.post(`${path}/stances`, stances('doesnt_work', 'works')));
    const clash = await ok(quiet.post(`${path}/stances`, stances('works', 'works')));
    expect(clash.clash_at).toBeDefined();
    expect((await ai.ben.post(`${path}/choose`, { option: 2 })).status).toBe(403);
    await ok(ben.post(`${path}/choose`, { option: 2 }));
    expect((await ok(ada.post(`${path}/choose`, { option: 1 }))).status).toBe('open');
    const settled = await ok(quiet.post(`${path}/choose`, { option: 1 }));
    expect(settled).toMatchObject({ status: 'settled', settled_option: 1 });

    const { record } = await eventually(
      () => ok(ben.get(path)),
      (shown) => shown.record !== undefined,
    );
    expect(await ok(anonymous().post('/v0/verify', { record }))).toMatchObject({
      valid: true,
      type: 'plan.outcome',
    });
    const [outcome] = await eventually(
      async () =>
        (await eventsOf('outcome')).filter((event: { data: { kind: string } }) => event.data.kind === 'plan'),
      (events) => events.length > 0,
    );
    expect(outcome.data).toMatchObject({
      id: proposed.id,
      status: 'settled',
      group: group.id,
      when: '2090-05-03T16:00:00Z',
      ends_at: '2090-05-03T18:00:00.000Z',
      where: 'Town house',
      by: ada.id,
      hidden_from: [birthday.id],
    });
    await ok(app.put(`/v0/outcomes/plan/${proposed.id}`, { item_ref: 'event-7' }));
    expect((await ok(app.get(path))).outcome).toEqual({ item_ref: 'event-7' });
    expect((await birthday.get(path)).status).toBe(404);
    expect((await ok(birthday.get('/v0/plans'))).plans).toEqual([]);
  });

  test("needs the organizers' approval first where the group requires it", async () => {
    await ok(ada.patch(`/v0/groups/${group.id}`, { settings: { plans: 'ask' } }));
    const asked = expectStatus(await ben.post('/v0/plans', { ...rehearsal, group: group.id }), 202).body;
    expect(asked.status).toBeUndefined();
    expect((await ben.get(`/v0/plans/${asked.id}`)).status).toBe(404);
    expect(await ok(ada.get(`/v0/approvals/${asked.approval}`))).toMatchObject({
      kind: 'plan',
      title: rehearsal.title,
    });
    await ok(ada.post(`/v0/approvals/${asked.approval}/reply`, { decision: 'approved' }));
    const begun = await eventually(
      () => ben.get(`/v0/plans/${asked.id}`),
      ({ status }) => status === 200,
    );
    expect(begun.body).toMatchObject({ status: 'open', by: ben.id });
    await ok(ada.patch(`/v0/groups/${group.id}`, { settings: { plans: 'never' } }));
    const never = await ben.post('/v0/plans', { ...rehearsal, group: group.id });
    expect([never.status, never.body.code]).toEqual([403, 'plans_off']);
    await ok(ben.delete(`/v0/plans/${asked.id}?reason=Ill`));
    await ok(ada.patch(`/v0/groups/${group.id}`, { settings: { plans: 'allow' } }));
  });
});
