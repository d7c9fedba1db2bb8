import { eventually } from '@hearth/testkit/eventually';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  join,
  newApp,
  newChild,
  newGroup,
  newPerson,
  type TestApp,
  type TestPerson,
} from '../support/apps.ts';
import { anonymous, expectStatus } from '../support/home.ts';

/** An invite sent to a person reaches them like any request, by their own rules. */

let app: TestApp;
beforeAll(async () => {
  app = await newApp();
});

const turnedAway = { error: 'this address does not take invites from you', code: 'turned_away' };
const requestsOf = async (person: Pick<TestPerson, 'get'>) =>
  expectStatus(await person.get('/v0/requests'), 200).body.requests;
const send = (group: { id: string; organizer: TestPerson }, to: string, fields: object = {}) =>
  group.organizer.post(`/v0/groups/${group.id}/invites`, { to, ...fields });
const setRule = async (person: TestPerson, action: string, fields: object = {}) =>
  expectStatus(await person.put('/v0/request-rules', { rules: { other: { action } }, ...fields }), 200);

describe('an invite to a person without a common group', () => {
  test('waits in their requests, and accepting joins and remembers the sender', async () => {
    const [ann, ben] = [await newPerson(app), await newPerson(app)];
    const group = await newGroup(ann, { name: 'Walks' });
    const sent = expectStatus(await send(group, ben.address), 201).body;
    expect(sent).toMatchObject({ delivery: 'requested', status: 'waiting' });
    expect(await requestsOf(ben)).toMatchObject([
      {
        id: sent.id,
        type: 'invite',
        kind: 'other',
        title: 'An invitation into Walks',
        from: ann.address,
        from_name: ann.name,
        to: ben.address,
        front_door: false,
      },
    ]);
    expect((await ben.get('/v0/me')).body.waiting.requests.count).toBe(1);
    const accepted = await ben.post(`/v0/requests/${sent.id}/accept`, { remember: true });
    expect(expectStatus(accepted, 200).body).toEqual({
      id: sent.id,
      status: 'joined',
      next: 'You are in Walks now.',
    });
    expectStatus(await ben.post(`/v0/groups/${group.id}/leave`), 200);
    const next = expectStatus(await send(await newGroup(ann), ben.address), 201).body;
    expect(next.delivery).toBe('delivered');
  });

  test('once declined is reported to the sender', async () => {
    const [ann, ben] = [await newPerson(app), await newPerson(app)];
    const group = await newGroup(ann);
    const sent = expectStatus(await send(group, ben.address), 201).body;
    expectStatus(await ben.post(`/v0/requests/${sent.id}/decline`, { note: 'no time' }), 200);
    expect(await requestsOf(ben)).toEqual([]);
    const { invites } = expectStatus(await ann.get(`/v0/groups/${group.id}/invites`), 200).body;
    expect(invites).toMatchObject([{ id: sent.id, status: 'declined', why: 'declined' }]);
    expect((await anonymous().get(`/v0/invites/${sent.code}`)).body.state).toBe('used');
  });

  test('gets a polite refusal at once where their rule says so', async () => {
    const [ann, ben] = [await newPerson(app), await newPerson(app)];
    await setRule(ben, 'decline');
    const sent = expectStatus(await send(await newGroup(ann), ben.address), 201).body;
    expect(sent).toMatchObject({ delivery: 'declined', status: 'declined', why: 'declined' });
    expect(await requestsOf(ben)).toEqual([]);
    expect((await ben.post(`/v0/invites/${sent.id}/accept`)).status).toBe(400);
  });

  test('is refused with the same message for a rule, a block and a minor', async () => {
    const ann = await newPerson(app);
    const [turning, blocking, guardian] = [
      await newPerson(app),
      await newPerson(app),
      await newPerson(await newApp()),
    ];
    const child = await newChild(guardian);
    await setRule(turning, 'turn_away');
    expectStatus(await blocking.put(`/v0/blocks/${ann.address}`), 200);
    const group = await newGroup(ann);
    for (const [address, fields] of [
      [turning.address, {}],
      [blocking.address, {}],
      [child.address, { for_age: 'child' }],
    ] as const) {
      const refused = await send(group, address, fields);
      expect([refused.status, refused.body]).toEqual([403, turnedAway]);
    }
    expect((await ann.get(`/v0/groups/${group.id}/invites`)).body.invites).toEqual([]);
    expect((await turning.get('/v0/request-rules')).body.turned_away).toEqual({ other: 1 });
    expect((await blocking.get('/v0/request-rules')).body.turned_away).toEqual({});
    // The rules do not apply to a code that the person received elsewhere.
    const { code } = expectStatus(await ann.post(`/v0/groups/${group.id}/invites`), 201).body;
    expect((await turning.post(`/v0/invites/${code}/accept`)).body.status).toBe('joined');
  });

  test('counts towards the weekly limit of requests', async () => {
    const ben = await newPerson(app);
    const rules = { other: { action: 'ask', weekly_cap: 1 } };
    expectStatus(await ben.put('/v0/request-rules', { rules }), 200);
    const organizers = [await newPerson(app), await newPerson(app)];
    const sent = [];
    for (const organizer of organizers) sent.push((await send(await newGroup(organizer), ben.address)).body);
    expect(sent.map(({ delivery }) => delivery)).toEqual(['requested', 'declined']);
  });

  test('relabelled as a refused kind is removed, and so are later ones of its sender', async () => {
    const [ann, ben] = [await newPerson(app), await newPerson(app)];
    const rules = { sales: { action: 'turn_away' } };
    expectStatus(await ben.put('/v0/request-rules', { rules }), 200);
    const sent = expectStatus(await send(await newGroup(ann), ben.address), 201).body;
    const relabelled = await ben.post(`/v0/requests/${sent.id}/relabel`, { kind: 'sales' });
    expect(expectStatus(relabelled, 200).body).toMatchObject({ kind: 'sales', status: 'declined' });
    const refused = await send(await newGroup(ann), ben.address);
    expect([refused.status, refused.body]).toEqual([403, turnedAway]);
  });

  test('ends silently with a block', async () => {
    const [ann, ben] = [await newPerson(app), await newPerson(app)];
    expectStatus(await send(await newGroup(ann), ben.address), 201);
    expectStatus(await ben.put(`/v0/blocks/${ann.address}`), 200);
    await eventually(
      () => requestsOf(ben),
      (waiting) => waiting.length === 0,
    );
  });
});

describe('at a front door', () => {
  async function withDoor(permissions: string[]) {
    const person = await newPerson(app);
    const made = expectStatus(await person.post('/v0/ais', { name: 'Door', permissions }), 201).body;
    await setRule(person, 'front_door', { front_door: made.ai.id });
    return { person, door: person.app.as(made.ai.id) };
  }

  test('an invite is shown to the AI first, which passes it on, and its person joins', async () => {
    const { person, door } = await withDoor(['read', 'message']);
    const group = await newGroup(await newPerson(app), { name: 'Walks' });
    const sent = expectStatus(await send(group, person.address), 201).body;
    expect(sent.delivery).toBe('front_door');
    expect(await requestsOf(person)).toEqual([]);
    expect(await requestsOf(door)).toMatchObject([{ id: sent.id, type: 'invite', front_door: true }]);
    const passed = await door.post(`/v0/approvals/${sent.id}/pass`, {
      to: 'person',
      note: 'they walk a lot',
    });
    expect(expectStatus(passed, 200).body).toMatchObject({ id: sent.id, kind: 'invite', status: 'waiting' });
    expect(await requestsOf(person)).toMatchObject([
      { id: sent.id, front_door: false, passed_note: 'they walk a lot' },
    ]);
    const joined = await person.post(`/v0/requests/${sent.id}/accept`);
    expect(expectStatus(joined, 200).body.status).toBe('joined');
  });

  test('an AI that accepts passes it on too, since a person joins by themselves', async () => {
    const { person, door } = await withDoor(['read', 'message', 'approve']);
    const sent = expectStatus(await send(await newGroup(await newPerson(app)), person.address), 201).body;
    expect((await door.post(`/v0/requests/${sent.id}/accept`)).body).toEqual({
      id: sent.id,
      status: 'passed',
    });
    const again = await door.post(`/v0/requests/${sent.id}/accept`);
    expect([again.status, again.body.needs_person]).toEqual([403, true]);
    expect(await requestsOf(person)).toMatchObject([{ id: sent.id }]);
    expectStatus(await door.post(`/v0/requests/${sent.id}/decline`), 200);
    expect(await requestsOf(person)).toEqual([]);
  });
});

describe('a front door whose AI lost its permission', () => {
  test('passes invites and asks on to the person', async () => {
    const person = await newPerson(app);
    const asked = { name: 'Door', permissions: ['read', 'message'] };
    const { ai } = expectStatus(await person.post('/v0/ais', asked), 201).body;
    await setRule(person, 'front_door', { front_door: ai.id });
    const organizer = await newPerson(app);
    const sent = expectStatus(await send(await newGroup(organizer), person.address), 201).body;
    const ask = { to: [person.address], title: 'Lunch?' };
    const { id } = expectStatus(await organizer.post('/v0/approvals', ask), 201).body;
    expect(await requestsOf(person)).toEqual([]);
    expectStatus(await person.patch(`/v0/ais/${ai.id}`, { permissions: ['read'] }), 200);
    const waiting = await eventually(
      () => requestsOf(person),
      (all) => all.length === 2,
    );
    expect(waiting.map((request: { id: string }) => request.id).toSorted()).toEqual([id, sent.id].toSorted());
  });
});

describe('a person under 18', () => {
  const settings = { minors: 'guardian', join_review: 'none' };

  /** A child that the organizer knows from a shared group. */
  async function known() {
    const guardian = await newPerson(app);
    const child = await newChild(guardian);
    const organizer = await newPerson(await newApp());
    const meeting = await newGroup(guardian, { settings });
    await join(meeting, child, guardian);
    await join(meeting, organizer);
    const { members } = (await organizer.get(`/v0/groups/${meeting.id}/members`)).body;
    const shielded = members.find(({ person }: { person: { shielded?: boolean } }) => person.shielded).person
      .id;
    expectStatus(await organizer.post(`/v0/groups/${meeting.id}/leave`), 200);
    const group = await newGroup(organizer, { name: 'Chess', settings });
    return { guardian, child, shielded, group };
  }

  test('whose guardian changes has pending invites moved to the new one, who alone can answer', async () => {
    const { guardian, child, shielded, group } = await known();
    const rules = { person: child.id, rules: { other: { action: 'ask' } } };
    expectStatus(await guardian.put('/v0/request-rules', rules), 200);
    const sent = expectStatus(await send(group, shielded, { for_age: 'child' }), 201).body;
    const ask = { to: [shielded], title: 'Chess on Friday?' };
    const { id } = expectStatus(await group.organizer.post('/v0/approvals', ask), 201).body;
    expect(await requestsOf(guardian)).toHaveLength(2);

    const other = await newPerson(app);
    expectStatus(await guardian.put(`/v0/people/${child.id}/guardian`, { guardian: other.id }), 200);
    const moved = await eventually(
      () => requestsOf(other),
      (all) => all.length === 2,
    );
    expect(moved.map((request: { id: string }) => request.id).toSorted()).toEqual([id, sent.id].toSorted());
    expect(await requestsOf(guardian)).toEqual([]);
    for (const path of [`/v0/requests/${sent.id}/accept`, `/v0/requests/${id}/accept`])
      expect((await guardian.post(path)).status).toBe(404);
    expect((await guardian.post(`/v0/approvals/${id}/reply`, { decision: 'approved' })).status).toBe(404);
    const accepted = await other.post(`/v0/requests/${sent.id}/accept`);
    expect(expectStatus(accepted, 200).body.status).toBe('joined');
    const reply = await other.post(`/v0/approvals/${id}/reply`, { decision: 'approved' });
    expect(expectStatus(reply, 200).body.status).toBe('approved');
  });

  test('is out of reach until the guardian allows requests, after which the guardian is asked and joins for them', async () => {
    const { guardian, child, shielded, group } = await known();
    const invite = () => send(group, shielded, { for_age: 'child' });
    const refused = await invite();
    expect([refused.status, refused.body]).toEqual([403, turnedAway]);
    const rules = { person: child.id, rules: { other: { action: 'ask' } } };
    expectStatus(await guardian.put('/v0/request-rules', rules), 200);
    const sent = expectStatus(await invite(), 201).body;
    expect(sent.delivery).toBe('requested');
    expect(await requestsOf(child)).toEqual([]);
    expect(await requestsOf(guardian)).toMatchObject([{ id: sent.id, type: 'invite', to: child.address }]);
    const accepted = await guardian.post(`/v0/requests/${sent.id}/accept`);
    expect(expectStatus(accepted, 200).body.status).toBe('joined');
    expect((await child.get('/v0/groups')).body.groups).toContainEqual(
      expect.objectContaining({ id: group.id }),
    );
    expect(JSON.stringify((await group.organizer.get(`/v0/groups/${group.id}/members`)).body)).not.toContain(
      child.id,
    );
  });

  test('a person who opens a code learns the next step', async () => {
    const guardian = await newPerson(app);
    const child = await newChild(guardian);
    const group = await newGroup(await newPerson(app), { name: 'Chess', settings });
    const made = await group.organizer.post(`/v0/groups/${group.id}/invites`, { for_age: 'child' });
    const answer = await child.post(`/v0/invites/${made.body.code}/accept`);
    expect(expectStatus(answer, 200).body).toMatchObject({
      status: 'waiting',
      waiting_for: ['guardian'],
      next: 'Your guardian is asked whether you may join Chess. Once they agree, you are in; there is nothing else to do.',
    });
  });
});
