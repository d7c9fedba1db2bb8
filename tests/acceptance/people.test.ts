import { describe, expect, test } from '@jest/globals';
import { newApp, newChild, newPerson } from '../support/apps.ts';
import { newAi } from '../support/home.ts';
import { notFoundBody } from '../support/refusals.ts';

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

describe('a person', () => {
  test('is created by an app, and looks the same to the app and themselves', async () => {
    const app = await newApp();
    const made = await app.post('/v0/people', {
      name: 'Ada Lovelace',
      birth_year_month: '1990-12',
      age_source: 'document',
      guest: false,
      time_zone: 'Europe/Zurich',
      locale: 'de-CH',
      external_id: 'u-1',
      request_id: 'first',
    });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.stringMatching(/^per_[0-9a-f]{32}$/),
      address: `@${made.body.handle}`,
      handle: expect.stringMatching(/^ada-lovelace/),
      name: 'Ada Lovelace',
      kind: 'person',
      age_band: 'adult',
      guest: false,
      app: app.id,
      shielded: false,
    });
    const again = await app.post('/v0/people', {
      name: 'Ada Lovelace',
      birth_year_month: '1990-12',
      age_source: 'document',
      guest: false,
      time_zone: 'Europe/Zurich',
      locale: 'de-CH',
      external_id: 'u-1',
      request_id: 'first',
    });
    expect([again.status, again.body]).toEqual([200, made.body]);
    for (const [who, path] of [
      [app, made.body.id],
      [app, made.body.address],
      [app.as(made.body.id), 'me'],
    ] as const) {
      expect((await who.get(`/v0/people/${path}`)).body).toEqual(made.body);
    }
  });

  test('is not found by people without a common group', async () => {
    const ann = await newPerson(await newApp());
    const other = await newApp();
    const stranger = await newPerson(other);
    const ai = await newAi();
    for (const who of [other, stranger, ai]) {
      for (const id of [ann.id, ann.address, `per_${'0'.repeat(32)}`]) {
        const reply = await who.get(`/v0/people/${id}`);
        expect([reply.status, reply.body]).toEqual([404, await notFoundBody(ai)]);
      }
    }
  });

  test('changes their name and handle, and the old address redirects', async () => {
    const ann = await newPerson(await newApp());
    const handle = `${ann.handle.slice(0, 24)}-new`;
    const changed = await ann.patch('/v0/people/me', { name: 'Ann Jones', handle });
    expect(changed.body).toMatchObject({ id: ann.id, name: 'Ann Jones', handle, address: `@${handle}` });
    expect((await ann.app.get(`/v0/people/${ann.address}`)).body).toEqual(changed.body);
    const soon = await ann.patch('/v0/people/me', { handle: ann.handle });
    expect([soon.status, soon.body.code, soon.body.field]).toEqual([400, 'bad_field', 'handle']);
    const taken = await newPerson(ann.app);
    const theirs = await taken.patch('/v0/people/me', { handle: ann.handle });
    expect(theirs.body.error).toBe(`handle: "${ann.handle}" is taken; choose another`);
  });

  test('cannot be changed by an AI without the person', async () => {
    const ai = await newAi();
    const reply = await ai.patch('/v0/people/me', { name: 'X' });
    expect([reply.status, reply.body.needs_person]).toEqual([403, true]);
  });

  test('can only be created by apps', async () => {
    const ann = await newPerson(await newApp());
    const body = { name: 'X', age_band: 'adult' };
    expect((await (await newAi()).post('/v0/people', body)).status).toBe(403);
    expect((await ann.post('/v0/people', body)).status).toBe(201);
  });
});

describe('a child', () => {
  test('has a guardian, who alone lets AIs act, sees contacts, and transfers the guardianship', async () => {
    const app = await newApp();
    const [ann, bob] = [await newPerson(app), await newPerson(app)];
    const alone = await app.post('/v0/people', { name: 'Kit', age_band: 'child' });
    expect([alone.status, alone.body.code, alone.body.field]).toEqual([400, 'guardian_needed', 'guardian']);
    const child = await newChild(ann);
    const path = `/v0/people/${child.id}`;
    expect((await child.get('/v0/people/me')).body).toMatchObject({
      age_band: 'child',
      guardian: ann.id,
      ai_share: false,
    });
    expect((await app.patch(path, { ai_share: true })).body.needs_person).toBe(true);
    expect((await ann.patch(path, { ai_share: true })).body.ai_share).toBe(true);
    expect((await ann.get(`${path}/contacts`)).body).toEqual({
      person: expect.objectContaining({ id: child.id }),
      groups: [],
      contacts: [],
      approvals: [],
      ais: [],
    });
    expect((await bob.get(`${path}/contacts`)).status).toBe(403);
    expect((await ann.delete(`${path}/guardian`)).body.code).toBe('guardian_needed');
    expect((await ann.put(`${path}/guardian`, { guardian: bob.address })).body.guardian).toBe(bob.id);
    expect((await bob.get(`${path}/contacts`)).status).toBe(200);
  });

  test('cannot be held by an app without permission', async () => {
    const app = await newApp({ minors: false });
    const reply = await app.post('/v0/people', { name: 'Tim', age_band: 'teen16' });
    expect([reply.status, reply.body.code]).toEqual([403, 'minors_not_allowed']);
  });

  test('of 14 ends the guardianship when both have agreed', async () => {
    const ann = await newPerson(await newApp());
    const teen = await newChild(ann, { years: 14 });
    const path = `/v0/people/${teen.id}/guardian`;
    expect((await teen.delete(path)).body).toEqual({ ended: false, waiting_for: ['guardian'] });
    expect((await ann.delete(path)).body).toEqual({ ended: true, waiting_for: [] });
    expect((await ann.delete(path)).body).toEqual({ ended: true, waiting_for: [] });
    expect((await teen.get('/v0/people/me')).body.guardian).toBeUndefined();
  });
});

describe('an account deletion', () => {
  test('takes effect after seven days, needs the handle, and can be cancelled', async () => {
    const ann = await newPerson(await newApp());
    const wrong = await ann.delete('/v0/people/me?confirm=somebody');
    expect([wrong.status, wrong.body.field]).toEqual([400, 'confirm']);
    const asked = await ann.delete(`/v0/people/me?confirm=${ann.handle}`);
    expect([asked.status, asked.body]).toEqual([202, { deletes_at: expect.stringMatching(iso) }]);
    expect((await ann.app.delete(`/v0/people/${ann.id}?confirm=${ann.handle}`)).body).toEqual(asked.body);
    expect((await ann.post('/v0/people/me/keep')).body.id).toBe(ann.id);
    expect((await ann.get('/v0/people/me')).status).toBe(200);
  });
});

describe('an app that requests to hold a person', () => {
  test("waits for the person's consent", async () => {
    const ann = await newPerson(await newApp());
    const other = await newApp();
    const asked = await other.post(`/v0/app/people/${ann.address}/link`);
    expect(asked.body).toEqual({ status: 'waiting', url: expect.stringMatching(/^http.*\/me$/) });
    expect((await other.get(`/v0/people/${ann.id}`)).status).toBe(404);
    expect((await ann.app.post(`/v0/app/people/${ann.id}/link`)).body).toMatchObject({ status: 'linked' });
  });
});
