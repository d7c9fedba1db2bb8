import { createHash } from 'node:crypto';
import { day } from '@hearth/clock';
import { sql } from '@hearth/db';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { afterAll, describe, expect, test } from '@jest/globals';
import { newApp } from './people.ts';
import { failure, startIdentity } from './start-identity.ts';

const home = await startIdentity();
const app = await newApp(home);
afterAll(() => home.stop());

const create = (wanted: object = {}) =>
  home.fromGroups.createGuest({
    id: home.ids.uuid(),
    name: 'Gus Guest',
    birthYearMonth: '1990-01',
    app: app.uuid,
    ...wanted,
  });
const sessionOf = (token: string) =>
  home.database.db.one<{ person: string; authenticated_at: Date | null; proof: string; ends_at: Date }>(sql`
    select person, authenticated_at, proof, ends_at from identity.sessions
    where hash = ${createHash('sha256').update(token).digest()}`);

describe('a guest', () => {
  test('belongs to the app that created the group, with a session of a year', async () => {
    const id = home.ids.uuid();
    const { facts, sessionToken } = await create({ id });
    expect(facts).toMatchObject({
      id,
      name: 'Gus Guest',
      guest: true,
      app: app.uuid,
      ageBand: AgeBand.ADULT,
    });
    expect(sessionToken).toMatch(/^hearth_ps_[0-9A-Za-z]{43}$/);
    expect(await sessionOf(sessionToken)).toEqual({
      person: id,
      authenticated_at: null,
      proof: '',
      ends_at: new Date(home.clock.now() + 365 * day),
    });
    const made = (await home.announced('personCreated')).filter(({ data }) => data.value.person?.id === id);
    expect(made).toMatchObject([{ data: { value: { apps: [app.uuid] } } }]);
  });

  test("has the given time zone, or the home's", async () => {
    const zoneOf = async (wanted: object) => (await create(wanted)).facts!.timeZone;
    expect(await zoneOf({ timeZone: 'Asia/Tokyo' })).toBe('Asia/Tokyo');
    expect(await zoneOf({})).toBe('Europe/Zurich');
    expect(await failure(create({ timeZone: 'Mars/Olympus' }))).toBe('bad_request bad_field');
  });

  test('requested again is the same, with a new session', async () => {
    const id = home.ids.uuid();
    const answers = await Promise.all([create({ id }), create({ id }), create({ id })]);
    expect(new Set(answers.map(({ facts }) => facts!.handle)).size).toBe(1);
    expect(new Set(answers.map(({ sessionToken }) => sessionToken)).size).toBe(3);
    for (const { sessionToken } of answers) expect((await sessionOf(sessionToken)).person).toBe(id);
  });

  test('may be a teenager above the minimum age, held by an app with permission', async () => {
    expect((await create({ birthYearMonth: '2009-01' })).facts!.ageBand).toBe(AgeBand.TEEN16);
    expect(await failure(create({ birthYearMonth: '2010-06' }))).toBe('bad_request guardian_needed');
    expect(await failure(create({ birthYearMonth: '2018-06' }))).toBe('bad_request guardian_needed');
    const strict = await newApp(home, { minors: false });
    expect(await failure(create({ birthYearMonth: '2009-01', app: strict.uuid }))).toBe(
      'forbidden minors_not_allowed',
    );
  });

  test.each([
    [{ birthYearMonth: '2030-01' }, 'bad_request bad_field'],
    [{ birthYearMonth: '' }, 'bad_request bad_field'],
    [{ name: '' }, 'bad_request bad_field'],
    [{ name: '@ann' }, 'bad_request bad_field'],
  ])('is refused as %j', async (wanted, expected) => {
    expect(await failure(create(wanted))).toBe(expected);
  });

  test('is created for the groups service only', async () => {
    await expect(
      home.client.createGuest({ id: home.ids.uuid(), name: 'X', birthYearMonth: '1990-01' }),
    ).rejects.toThrow();
  });

  test('without an app is held by no app', async () => {
    expect((await create({ app: '' })).facts!.app).toBe('');
  });
});
