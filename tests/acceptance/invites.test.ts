import { apiClient } from '@hearth/testkit/home';
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
import { anonymous, expectStatus, urls } from '../support/home.ts';
import { expectBadRequest } from '../support/refusals.ts';

let app: TestApp;
let ada: TestPerson;
beforeAll(async () => {
  app = await newApp();
  ada = await newPerson(app);
});

const invite = async (group: { id: string }, fields: object = {}) =>
  expectStatus(await ada.post(`/v0/groups/${group.id}/invites`, fields), 201).body;

describe('an invite', () => {
  test('is viewed without a sign-in, and accepted by its link', async () => {
    const group = await newGroup(ada, { name: 'Walks' });
    const { code, url, ...made } = await invite(group, { invitee: 'Ben' });
    expect(made).toMatchObject({ group: group.id, reusable: false, for_age: 'adult', status: 'waiting' });
    expect(url).toMatch(new RegExp(`^http.*/i/${code}$`));
    const peeked = expectStatus(await anonymous().get(`/v0/invites/${encodeURIComponent(url)}`), 200).body;
    expect(peeked).toEqual({
      state: 'ok',
      ...{ code, group: group.id },
      group_name: 'Walks',
      needs_review: false,
      invited_by: ada.name,
      reusable: false,
      for_age: 'adult',
      for_ages: ['adult'],
      expires_at: made.expires_at,
      status: 'waiting',
      home: expect.any(String),
    });
    const ben = await newPerson(app);
    const joined = expectStatus(await ben.post(`/v0/invites/${code}/accept`, { via: 'code' }), 200).body;
    expect(joined).toMatchObject({
      status: 'joined',
      group: group.id,
      member: { role: 'member', person: { id: ben.id } },
    });
    expectBadRequest(await (await newPerson(app)).post(`/v0/invites/${code}/accept`), {
      code: 'not_waiting',
    });
    const { invites } = expectStatus(await ada.get(`/v0/groups/${group.id}/invites`), 200).body;
    expect(invites).toMatchObject([{ id: made.id, status: 'used', invitee: 'Ben' }]);
    expect(JSON.stringify(invites)).not.toContain(code);
  });

  test('with an unknown code reveals nothing else', async () => {
    const { body } = expectStatus(await anonymous().get(`/v0/invites/${'0'.repeat(22)}`), 200);
    expect(body).toEqual({ state: 'invalid', for_ages: [], home: expect.any(String) });
  });

  test('admits a guest, who then reads the group with their session', async () => {
    const group = await newGroup(ada);
    const { code } = await invite(group);
    const accept = `/v0/invites/${code}/accept`;
    expect((await anonymous().post(accept)).status).toBe(401);
    const guest = { name: 'Guest Ben', birth_year_month: '1990-01' };
    const born = async (birth_year_month: string) =>
      await anonymous().post(accept, { guest: { ...guest, birth_year_month } });
    expectBadRequest(await born('1800-01'), { code: 'bad_field', field: 'guest.birth_year_month' });
    expectBadRequest(await born('2015-01'), { code: 'minors_not_allowed' });
    const answer = expectStatus(await anonymous().post(accept, { guest }), 200).body;
    expect(answer).toMatchObject({
      status: 'joined',
      member: { person: { name: 'Guest Ben', guest: true } },
    });
    const session = apiClient(urls(), answer.session_token);
    const { groups } = expectStatus(await session.get('/v0/groups'), 200).body;
    expect(groups).toMatchObject([{ id: group.id, your_role: 'member' }]);
    expectBadRequest(await session.post(accept, { guest }), { code: 'bad_field', field: 'guest' });
    expect((await session.post(accept)).body).toMatchObject({ status: 'joined' });
  });

  test('cannot be accepted by an AI for its person', async () => {
    const group = await newGroup(ada);
    const ben = await newPerson(app);
    const made = expectStatus(await ben.post('/v0/ais', { name: 'Robin' }), 201).body;
    const robin = apiClient(urls(), made.connector_key);
    const reply = await robin.post(`/v0/invites/${(await invite(group)).code}/accept`);
    expect([reply.status, reply.body.needs_person]).toEqual([403, true]);
  });

  test('for a child waits for the guardian, the only one who sees the child in full', async () => {
    const guardian = await newPerson(app);
    const child = await newChild(guardian);
    const other = await newPerson(await newApp());
    const group = await newGroup(other, { settings: { minors: 'guardian', join_review: 'all' } });
    const { code } = expectStatus(
      await other.post(`/v0/groups/${group.id}/invites`, { for_age: 'child', reusable: true }),
      201,
    ).body;
    const waiting = expectStatus(await child.post(`/v0/invites/${code}/accept`), 200).body;
    expect(waiting).toMatchObject({ status: 'waiting', waiting_for: ['organizer', 'guardian'] });
    const [listed] = (await other.get(`/v0/groups/${group.id}/invites`)).body.invites;
    const [{ person, at }] = listed.waiting;
    expect(person).toMatchObject({ id: expect.stringMatching(/^shp_/), shielded: true, name: 'Kit Q.' });
    expect(at).toMatch(/T00:00:00.000Z$/);
    const review = (by: TestPerson, who: string) =>
      by.post(`/v0/invites/${code}/review`, { decision: 'approved', person: who });
    expect((await review(other, child.id)).status).toBe(404);
    expect((await review(other, person.id)).body).toMatchObject({
      status: 'approved',
      waiting_for: ['guardian'],
    });
    expect((await review(guardian, child.id)).body).toMatchObject({ status: 'used' });
    expect((await child.get('/v0/groups')).body.groups).toMatchObject([{ id: group.id }]);
  });

  test('with a repeated request_id is the same, including its code', async () => {
    const group = await newGroup(ada);
    const path = `/v0/groups/${group.id}/invites`;
    const first = await ada.post(path, { reusable: true, request_id: 'r1' });
    const again = await ada.post(path, { reusable: true, request_id: 'r1' });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    expectBadRequest(await ada.post(path, { request_id: 'r1' }), { code: 'request_id_reused' });
  });
});

describe('posts and notes', () => {
  test('members of a group post, and nobody else can read it', async () => {
    const group = await newGroup(ada);
    const ben = await newPerson(app);
    await join(group, ben);
    const first = expectStatus(
      await ada.post(`/v0/groups/${group.id}/messages`, { text: 'Hello' }),
      201,
    ).body;
    const reply = { text: 'Hi', reply_to: first.id };
    expectStatus(await ben.post(`/v0/groups/${group.id}/messages`, reply), 201);
    const { messages } = expectStatus(await ben.get(`/v0/groups/${group.id}/messages`), 200).body;
    expect(messages).toMatchObject([
      { text: 'Hi', from: ben.address, by_ai: false, reply_to: first.id, via: 'app' },
      { text: 'Hello', from: ada.address },
    ]);
    expect((await (await newPerson(app)).get(`/v0/groups/${group.id}/messages`)).status).toBe(404);
    const groupAi = app.as(group.group_ai);
    expectStatus(await groupAi.post(`/v0/groups/${group.id}/messages`, { text: 'From the group' }), 201);
  });

  test('a note shared with a group is read by its AI, and no other', async () => {
    const group = await newGroup(ada);
    const fields = { text: 'not on Mondays', about: '@ada', shared_with: [group.address] };
    expectStatus(await ada.put('/v0/notes/new', { text: 'secret' }), 200);
    const note = expectStatus(await ada.put('/v0/notes/new', fields), 200).body;
    expect(note).toMatchObject({ text: 'not on Mondays', shared_with: [group.id], expires_at: null });
    const groupAi = app.as(group.group_ai);
    const seen = expectStatus(await groupAi.get('/v0/notes'), 200).body;
    expect(seen).toMatchObject({ notes: [{ id: note.id, person: ada.id }], next_cursor: null });
    expectStatus(await ada.delete(`/v0/notes/${note.id}`), 200);
    expect((await groupAi.get('/v0/notes')).body.notes).toEqual([]);
  });
});
