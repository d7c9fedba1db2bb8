import { beforeAll, describe, expect, test } from '@jest/globals';
import { newApp, newChild, newGroup, newPerson, operator, type TestApp } from '../support/apps.ts';
import { expectStatus, newAi } from '../support/home.ts';
import { notFoundBody } from '../support/refusals.ts';

let app: TestApp;
beforeAll(async () => {
  app = await newApp();
});

describe('a group', () => {
  test('is created by an app for a person, who finds it in every way', async () => {
    const ada = await newPerson(app);
    const reply = await ada.post('/v0/groups', { name: 'Chess club', time_zone: 'Europe/Zurich' });
    const group = expectStatus(reply, 201).body;
    expect(group).toEqual({
      id: expect.stringMatching(/^grp_[0-9a-f]{32}$/),
      address: expect.stringMatching(/^&chess-club(?:-\d+)?$/),
      name: 'Chess club',
      group_ai: expect.stringMatching(/^ai_[0-9a-f]{32}$/),
      created_by: ada.id,
      settings: { minors: 'no', consent_age: 16, join_review: 'minors', group_ai: true, plans: 'allow' },
      archived: false,
      has_minors: false,
      app: app.id,
      your_role: 'organizer',
      time_zone: 'Europe/Zurich',
    });
    const { your_role: _, ...toTheApp } = group;
    expect((await ada.get('/v0/groups')).body).toEqual({ groups: [group], next_cursor: null });
    expect((await app.get('/v0/groups')).body.groups).toContainEqual(toTheApp);
    for (const name of [group.id, encodeURIComponent(group.address)]) {
      expect((await ada.get(`/v0/groups/${name}`)).body).toEqual(group);
    }
    for (const q of [group.id, group.address, 'chess club', 'Che']) {
      const { body } = await ada.get(`/v0/groups/resolve?q=${encodeURIComponent(q)}`);
      expect(body.group).toEqual(group);
    }
  });

  test('is hidden from others, who cannot change it', async () => {
    const [ada, eve, robin] = [await newPerson(app), await newPerson(await newApp()), await newAi()];
    const { id } = await newGroup(ada);
    const nothing = await notFoundBody(robin);
    for (const other of [eve, robin]) {
      for (const path of ['', '/members', `/members/${ada.id}`]) {
        const reply = await other.get(`/v0/groups/${id}${path}`);
        expect([path, reply.status, reply.body]).toEqual([path, 404, nothing]);
      }
    }
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'Mine' }],
      ['PUT', `/members/${ada.id}/role`, { role: 'member' }],
      ['DELETE', `/members/${ada.id}`, undefined],
      ['POST', '/leave', {}],
      ['POST', '/archive', {}],
      ['POST', '/end', {}],
      ['POST', '/restore', {}],
    ] as const) {
      const reply = await eve.request(method, `/v0/groups/${id}${path}`, body);
      expect([method, path, reply.status, reply.body]).toEqual([method, path, 404, nothing]);
    }
    expect((await ada.delete(`/v0/admin/groups/${id}`)).status).toBe(403);
    expect((await eve.get(`/v0/groups/resolve?q=${id}`)).body).toEqual({ candidates: [] });
  });

  test('can only be created by an app, and not for a person under 18', async () => {
    const ada = await newPerson(app);
    const child = await newChild(ada);
    expect((await (await newAi()).post('/v0/groups', { name: 'Mine' })).status).toBe(403);
    expect((await app.post('/v0/groups', { name: 'Whose?' })).body).toMatchObject({
      code: 'bad_field',
      error: expect.stringContaining('Svc-Acting-For'),
    });
    const reply = await child.post('/v0/groups', { name: 'Mine' });
    expect([reply.status, reply.body.code]).toEqual([403, 'minors_not_allowed']);
  });

  test.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(81) }, 'name'],
    [{ name: 'x', settings: { minors: 'maybe' } }, 'settings.minors'],
    [{ name: 'x', settings: { consent_age: 15 } }, 'settings.consent_age'],
    [{ name: 'x', settings: { minors: 'teens', consent_age: 13 } }, 'settings.consent_age'],
    [{ name: 'x', settings: { color: 'red' } }, 'settings.color'],
    [{ name: 'x', ends_at: '2001-01-01T00:00:00Z' }, 'ends_at'],
    [{ name: 'x', ends_at: 'tomorrow' }, 'ends_at'],
    [{ name: 'x', time_zone: 'CEST+1' }, 'time_zone'],
  ])('refuses %j', async (body, field) => {
    const ada = await newPerson(app, { locale: 'de-DE' });
    const reply = await ada.post('/v0/groups', body);
    expect([reply.status, reply.body.field]).toEqual([400, field]);
  });

  test('is changed, archived, restored and ended by its organizer, and deleted once it has no members', async () => {
    const ada = await newPerson(app);
    const group = await newGroup(ada);
    const path = `/v0/groups/${group.id}`;
    const updated = expectStatus(
      await ada.patch(path, { name: 'Readers', settings: { plans: 'ask' } }),
      200,
    ).body;
    expect(updated).toMatchObject({
      group: { name: 'Readers', settings: { plans: 'ask' } },
      no_longer_fit: [],
    });
    expect((await ada.post(`${path}/archive`)).body).toMatchObject({ archived: true });
    expect((await ada.patch(path, { name: 'Again' })).body).toMatchObject({ code: 'archived' });
    expect((await ada.get('/v0/groups')).body.groups).toEqual([]);
    expect((await ada.get('/v0/groups?archived=true')).body.groups).toHaveLength(1);
    expect((await ada.post(`${path}/restore`)).body).toMatchObject({ archived: false });
    expect((await ada.post(`${path}/end`)).body).toMatchObject({
      archived: true,
      ends_at: expect.any(String),
    });
    expect((await ada.post(`${path}/restore`)).body).toMatchObject({ code: 'archived' });
    const admin = `/v0/admin/groups/${group.id}`;
    expect((await operator().delete(admin)).body.error).toContain('one person is in this group');
    expect((await ada.post(`${path}/leave`)).body).toEqual({ left: true, archived: false });
    expect(expectStatus(await operator().delete(admin), 200).body).toEqual({ deleted: true });
    expect((await operator().delete(admin)).status).toBe(404);
  });

  test('is archived when its last organizer leaves, unless they decline', async () => {
    const ada = await newPerson(app);
    const { id } = await newGroup(ada);
    const refused = await ada.post(`/v0/groups/${id}/leave`, { confirm_archive: false });
    expect([refused.status, refused.body.field]).toEqual([400, 'confirm_archive']);
    const left = await ada.post(`/v0/groups/${id}/leave`);
    expect(left.body).toEqual({ left: true, archived: true });
  });

  test('reports memberships', async () => {
    const [ada, ben] = [await newPerson(app), await newPerson(app)];
    const { id } = await newGroup(ada);
    expect((await ada.get(`/v0/groups/${id}/members/me`)).body).toEqual({
      group: id,
      person: ada.id,
      member: true,
      role: 'organizer',
      checked_at: expect.any(String),
    });
    expect((await ada.get(`/v0/groups/${id}/members/${ben.address}`)).body).toMatchObject({
      person: ben.id,
      member: false,
      role: null,
    });
    expect((await ada.get(`/v0/groups/${id}/members`)).body).toEqual({
      members: [
        { person: expect.objectContaining({ id: ada.id }), role: 'organizer', joined_at: expect.any(String) },
      ],
      next_cursor: null,
    });
  });
});
