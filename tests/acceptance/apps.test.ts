import { run } from '@hearth/cli';
import { systemClock } from '@hearth/clock';
import { eventually } from '@hearth/testkit/eventually';
import { sharedHome } from '@hearth/testkit/home';
import { describe, expect, test } from '@jest/globals';
import { newApp, newPerson, operator, withHeader } from '../support/apps.ts';
import { anonymous, expectStatus, newAi, urls } from '../support/home.ts';
import { notFoundBody } from '../support/refusals.ts';

describe('an app', () => {
  test('is created by the operator, who can list it without its secrets', async () => {
    const app = await newApp({ name: 'Team Planner' });
    const { body } = expectStatus(await operator().get('/v0/admin/apps'), 200);
    expect(body.apps.map(({ id }: { id: string }) => id)).toContain(app.id);
    for (const secret of [app.key, app.secret]) expect(JSON.stringify(body)).not.toContain(secret);
    const own = expectStatus(await app.get('/v0/app'), 200).body;
    expect(own).toMatchObject({ id: app.id, name: 'Team Planner', event_types: [], minors: true });
  });

  test('cannot be created by anyone else', async () => {
    const body = { name: 'x', contact_email: 'a@b.example' };
    expect((await anonymous().post('/v0/admin/apps', body)).status).toBe(401);
    for (const client of [await newAi(), await newApp()]) {
      expect((await client.post('/v0/admin/apps', body)).status).toBe(403);
    }
  });

  test('replaces its key, and the old one is invalid everywhere at once', async () => {
    const app = await newApp();
    const person = await newPerson(app);
    const { app_key: key } = expectStatus(await app.post('/v0/app/keys', { overlap_hours: 0 }), 201).body;
    for (const client of [app, person]) {
      // Asks each gateway in turn.
      const replies = () => Promise.all(urls().map(() => client.get('/v0/me')));
      await eventually(replies, (seen) => seen.every(({ body }) => body.code === 'key_revoked'), {
        withinMs: 1_000,
      });
    }
    const renewed = withHeader(key, { 'svc-acting-for': person.id });
    expect((await renewed.get('/v0/me')).body.address).toBe(person.address);
  });

  test('acts for the people it holds, and for nobody else', async () => {
    const [app, other] = [await newApp(), await newApp()];
    const person = await newPerson(app);
    expect((await app.as(person.id).get('/v0/me')).body.address).toBe(person.address);
    const refused = await other.as(person.id).get('/v0/me');
    const madeUp = await other.as(`per_${'0'.repeat(32)}`).get('/v0/me');
    expect([refused.status, refused.body]).toEqual([403, madeUp.body]);
    const ai = await newAi();
    const withAiKey = withHeader(ai.key, { 'svc-acting-for': person.id });
    expect((await withAiKey.get('/v0/me')).status).toBe(400);
  });

  test('cannot confirm a deletion that it was not notified of', async () => {
    const app = await newApp();
    const reply = await app.post(`/v0/app/deletions/evt_${'0'.repeat(32)}/confirm`, {});
    expect([reply.status, reply.body]).toEqual([404, await notFoundBody(await newAi())]);
  });
});

test("the operator's tool creates an app with a working key", async () => {
  const printed: string[] = [];
  const complained: string[] = [];
  const code = await run(
    [
      'app',
      'create',
      '--name',
      'From the tool',
      '--contact',
      'ops@tool.example',
      '--site',
      urls()[0]!,
      '--json',
    ],
    {
      env: { HEARTH_OPERATOR_KEY: sharedHome().operatorKey },
      folders: [],
      readFile: () => undefined,
      readInput: async () => new Uint8Array(),
      fetch,
      clock: systemClock,
      print: (text) => printed.push(text),
      complain: (text) => complained.push(text),
    },
  );
  expect([code, complained]).toEqual([0, []]);
  const made = JSON.parse(printed.join(''));
  const own = await withHeader(made.app_key, {}).get('/v0/app');
  expect(own.body).toMatchObject({ id: made.app.id, name: 'From the tool', minors: false });
});
