import { day } from '@hearth/clock';
import { sql } from '@hearth/db';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { aiOf, changesOf, type HeldPerson, heard, newApp, newPerson, webCaller } from './people.ts';
import { addAi, addGroup } from './persons.ts';
import { failure, startIdentity, words } from './start-identity.ts';

let ann: HeldPerson;
let child: HeldPerson;
let stranger: HeldPerson;

const home = await startIdentity();
const { by } = home;
const app = await newApp(home);
const otherApp = await newApp(home);
afterAll(() => home.stop());
beforeEach(async () => {
  ann = await newPerson(home, app, { name: 'Ann Smith' });
  stranger = await newPerson(home, otherApp, { name: 'Sam Stranger' });
  child = await newPerson(home, app, { name: 'Cy Smith', birthYearMonth: '2018-05', guardian: ann.id });
});

const get = (id: string, caller: ReturnType<typeof webCaller>) => by(caller).getPerson({ id });
const update = (id: string, wanted: object, caller: ReturnType<typeof webCaller>) =>
  by(caller).updatePerson({ id, ...wanted });
const makeAi = async (owner: string, address: string) => (await addAi(home, { owner, address })).uuid;
const addressesOf = (column: 'ai' | 'person', id: string) =>
  home.database.db.query<{ address: string; ends_at: Date | null }>({
    text: `select address, ends_at from identity.addresses where ${column} = $1 order by since, address`,
    values: [id],
  });

describe('an adult', () => {
  test('is shown in full to themselves, their AI, the app that holds them, and fellow members', async () => {
    addGroup(home, [stranger, ann]);
    for (const caller of [
      webCaller(ann.uuid),
      aiOf(ann.uuid),
      app.caller,
      webCaller(stranger.uuid),
      aiOf(stranger.uuid),
      otherApp.actingFor(stranger.uuid),
    ]) {
      expect(await get(ann.id, caller)).toMatchObject({ id: ann.id, name: 'Ann Smith', handle: ann.handle });
    }
    expect((await get('me', webCaller(ann.uuid))).id).toBe(ann.id);
    expect((await get(`@${ann.handle}`, app.caller)).id).toBe(ann.id);
    expect((await get(`${ann.handle}@hearth.example`, app.caller)).id).toBe(ann.id);
  });

  test('is shown to the group AI of a group that they are in', async () => {
    const group = addGroup(home, []);
    const groupAi = { ...aiOf('', home.ids.uuid()), group: group.id };
    expect(await failure(get(ann.id, groupAi))).toBe('not_found not_found');
    group.members.add(ann.uuid);
    expect((await get(ann.id, groupAi)).id).toBe(ann.id);
  });

  test('is not found by strangers, however they ask', async () => {
    for (const id of [
      ann.id,
      `@${ann.handle}`,
      `per_${home.ids.uuid().replaceAll('-', '')}`,
      'me',
      'x',
      '@',
    ]) {
      const callers = id === 'me' ? [otherApp.caller] : [webCaller(stranger.uuid), otherApp.caller, aiOf('')];
      for (const caller of callers) expect(await failure(get(id, caller))).toBe('not_found not_found');
    }
  });
});

describe('a child', () => {
  test('is shown in full to themselves, their guardian and the app that holds them', async () => {
    for (const caller of [webCaller(child.uuid), webCaller(ann.uuid), aiOf(ann.uuid), app.caller]) {
      const seen = await get(child.id, caller);
      expect(seen).toMatchObject({ id: child.id, name: 'Cy Smith', guardian: ann.id, shielded: false });
    }
  });

  test('sees their guardian', async () => {
    const caller = webCaller(child.uuid, { minor: true });
    expect((await get(ann.id, caller)).id).toBe(ann.id);
    expect(await failure(get(stranger.id, caller))).toBe('not_found not_found');
  });

  test('is not found by others under their own id or handle, even by fellow members', async () => {
    addGroup(home, [stranger, child]);
    for (const id of [child.id, `@${child.handle}`, `${child.handle}@hearth.example`]) {
      expect(await failure(get(id, webCaller(stranger.uuid)))).toBe('not_found not_found');
      expect(await failure(get(id, otherApp.caller))).toBe('not_found not_found');
    }
  });

  test('is shown to fellow members under a shielded id', async () => {
    addGroup(home, [stranger, child]);
    const shown = await get(home.shieldedFor(stranger.uuid, child.uuid), webCaller(stranger.uuid));
    expect(shown).toMatchObject({ name: 'Cy S.', shielded: true, ageBand: AgeBand.CHILD });
    expect([shown.handle, shown.guardian, shown.app, shown.aiShare]).toEqual(Array(4).fill(undefined));
    expect(shown.address).toBe(shown.id);
    expect(shown.id).toBe(home.shieldedFor(stranger.uuid, child.uuid));
    expect(await get(shown.id, aiOf(stranger.uuid))).toEqual(shown);
    // Through an app, the viewer is the app.
    const byApp = home.shieldedFor(otherApp.uuid, child.uuid);
    expect((await get(byApp, otherApp.actingFor(stranger.uuid))).id).toBe(byApp);
    expect(byApp).not.toBe(shown.id);
    // Anyone else who obtains that id can do nothing with it.
    const third = await newPerson(home, otherApp);
    addGroup(home, [third, child]);
    expect(await failure(get(shown.id, webCaller(third.uuid)))).toBe('not_found not_found');
    expect(await failure(get(shown.id, app.caller))).toBe('not_found not_found');
  });
});

describe('update_person', () => {
  test('is possible for the person, the guardian of a child, and the app, and is announced once', async () => {
    await update('me', { name: 'Ann Jones' }, webCaller(ann.uuid));
    await update(ann.id, { timeZone: 'Asia/Tokyo' }, app.caller);
    await update(child.id, { name: 'Cy Jones' }, webCaller(ann.uuid));
    expect(await changesOf(home, ann.uuid)).toMatchObject([
      { changed: ['name'], apps: [app.uuid], person: { name: 'Ann Jones', handle: ann.handle } },
      { changed: ['time_zone'] },
    ]);
    expect(await changesOf(home, child.uuid)).toMatchObject([
      { changed: ['name'], person: { name: 'Cy J.', handle: '', minor: true } },
    ]);
    for (const subject of ['people', 'credentials'] as const) await heard(home, subject, ann.uuid);
    await heard(home, 'people', child.uuid);
  });

  test('announces nothing without a change', async () => {
    const shown = await update(
      ann.id,
      { name: 'Ann Smith', handle: ann.handle, timeZone: 'Europe/Zurich' },
      app.caller,
    );
    expect(shown.name).toBe('Ann Smith');
    await update(ann.id, {}, app.caller);
    expect(await changesOf(home, ann.uuid)).toEqual([]);
  });

  test('is forbidden to viewers of the person, and not found for others', async () => {
    const wanted = { name: 'Mallory' };
    expect(await failure(update(ann.id, wanted, webCaller(stranger.uuid)))).toBe('not_found not_found');
    expect(await failure(update(ann.id, wanted, otherApp.caller))).toBe('not_found not_found');
    addGroup(home, [stranger, ann]);
    expect(await failure(update(ann.id, wanted, webCaller(stranger.uuid)))).toBe('forbidden no_permission');
    expect(await failure(update(ann.id, wanted, aiOf(ann.uuid)))).toBe('forbidden needs_person');
    // A guardian's AI is not the guardian.
    expect(await failure(update(child.id, wanted, aiOf(ann.uuid)))).toBe('forbidden needs_person');
  });

  test.each([
    [{ name: ' ' }, 'bad_request bad_field'],
    [{ name: 'x'.repeat(61) }, 'bad_request bad_field'],
    [{ handle: 'operator' }, 'bad_request bad_field'],
    [{ timeZone: 'Mars/Olympus' }, 'bad_request bad_field'],
    [{ language: 'german' }, 'bad_request bad_field'],
    [{ aiShare: true }, 'bad_request bad_field'],
  ])('refuses %j', async (wanted, expected) => {
    expect(await failure(update(ann.id, wanted, app.caller))).toBe(expected);
  });

  test('called concurrently applies and announces both changes', async () => {
    await Promise.all([
      update(ann.id, { name: 'Ann One' }, app.caller),
      update(ann.id, { timeZone: 'Asia/Tokyo' }, app.caller),
    ]);
    const changes = await changesOf(home, ann.uuid);
    expect(changes.flatMap(({ changed }) => changed).toSorted()).toEqual(['name', 'time_zone']);
    const { results } = await home.fromGroups.findPeople({ ids: [ann.uuid] });
    expect(results[0]!.facts).toMatchObject({ name: 'Ann One', timeZone: 'Asia/Tokyo' });
  });
});

describe('the language', () => {
  const languageIn = (row: { language?: string }) => row.language;

  test('is stored in canonical form, announced, and known to other services at once', async () => {
    expect(languageIn(await update('me', { language: 'de_ch' }, webCaller(ann.uuid)))).toBe('de-CH');
    expect((await changesOf(home, ann.uuid)).map(({ changed }) => changed)).toEqual([['language']]);
    for (const subject of ['people', 'credentials'] as const) await heard(home, subject, ann.uuid);
    const { results } = await home.fromGroups.findPeople({ ids: [ann.uuid] });
    expect(results[0]!.facts!.language).toBe('de-CH');
    expect(await words(update('me', { language: 'x-klingon' }, webCaller(ann.uuid)))).toBe(
      'language: must be a language tag (BCP 47), such as de or pt-BR',
    );
    expect(languageIn(await update('me', { language: '' }, webCaller(ann.uuid)))).toBeUndefined();
  });

  test('is set by the app and by a guardian, and shown to them and the person only', async () => {
    await update(ann.id, { language: 'fr' }, app.caller);
    await update(child.id, { language: 'it' }, webCaller(ann.uuid));
    expect(languageIn(await get('me', webCaller(ann.uuid)))).toBe('fr');
    expect(languageIn(await get(child.id, webCaller(ann.uuid)))).toBe('it');
    expect(languageIn(await get(child.id, app.caller))).toBe('it');
    addGroup(home, [stranger, ann]);
    for (const caller of [webCaller(stranger.uuid), aiOf(ann.uuid)])
      expect(languageIn(await get(ann.id, caller))).toBeUndefined();
  });
});

describe('ai_share', () => {
  test('is set by the guardian only, also through an app, and the consent is recorded', async () => {
    const teen = await newPerson(home, app, { name: 'Tim', birthYearMonth: '2010-05', guardian: ann.id });
    expect(await failure(update(teen.id, { aiShare: true }, app.caller))).toBe('forbidden no_permission');
    expect(await failure(update('me', { aiShare: true }, webCaller(teen.uuid)))).toBe(
      'forbidden no_permission',
    );
    expect((await update(teen.id, { aiShare: true }, app.actingFor(ann.uuid))).aiShare).toBe(true);
    expect((await update(teen.id, { aiShare: true }, webCaller(ann.uuid))).aiShare).toBe(true);
    expect((await changesOf(home, teen.uuid)).map(({ changed }) => changed)).toEqual([['ai_share']]);
    const consents = await home.database.db.query(sql`
      select person, app, method from identity.consents where child = ${teen.uuid} and what = 'ai_share'`);
    expect(consents).toEqual([{ person: ann.uuid, app: app.uuid, method: 'tap' }]);
    expect((await update(teen.id, { aiShare: false }, webCaller(ann.uuid))).aiShare).toBe(false);
  });

  test("notifies gateways about the child's AIs", async () => {
    const ai = await makeAi(child.uuid, `@${child.handle}.ai-robin`);
    await update(child.id, { aiShare: true }, webCaller(ann.uuid));
    await heard(home, 'credentials', ai);
  });
});

describe('a new handle', () => {
  test('moves the addresses of the person and of their AIs, and the old ones redirect for 90 days', async () => {
    const ai = await makeAi(ann.uuid, `@${ann.handle}.ai-robin`);
    const fresh = `${ann.handle}-new`;
    expect((await update(ann.id, { handle: fresh }, webCaller(ann.uuid))).address).toBe(`@${fresh}`);
    const endsAt = new Date(home.clock.now() + 90 * day);
    expect(await addressesOf('person', ann.uuid)).toEqual(
      expect.arrayContaining([
        { address: `@${ann.handle}`, ends_at: endsAt },
        { address: `@${fresh}`, ends_at: null },
      ]),
    );
    expect(await addressesOf('ai', ai)).toEqual(
      expect.arrayContaining([
        { address: `@${ann.handle}.ai-robin`, ends_at: endsAt },
        { address: `@${fresh}.ai-robin`, ends_at: null },
      ]),
    );
    const { address } = await home.database.db.one<{ address: string }>(
      sql`select address from identity.ais where id = ${ai}`,
    );
    expect(address).toBe(`@${fresh}.ai-robin`);
    await heard(home, 'credentials', ai);
    const moved = (await home.announced('aiChanged')).map(({ data }) => data.value);
    expect(moved).toContainEqual(
      expect.objectContaining({ ai, changed: ['address'], owner: ann.uuid, address: `@${fresh}.ai-robin` }),
    );

    const byOld = async () =>
      (await home.fromGroups.findPeople({ handles: [ann.handle] })).results[0]?.facts?.id;
    expect(await byOld()).toBe(ann.uuid);
    home.clock.advance(90 * day + 1);
    expect(await byOld()).toBeUndefined();
    // No one else gets it even then; its former owner can have it again.
    expect(
      await words(by(app).createPerson({ name: 'X', ageBand: AgeBand.ADULT, handle: ann.handle })),
    ).toContain('is taken');
    await update(ann.id, { handle: ann.handle }, webCaller(ann.uuid));
    expect(await byOld()).toBe(ann.uuid);
    const back = await home.database.db.one<{ address: string }>(
      sql`select address from identity.ais where id = ${ai}`,
    );
    expect(back.address).toBe(`@${ann.handle}.ai-robin`);
  });

  test('is possible once in 30 days', async () => {
    await update(ann.id, { handle: `${ann.handle}-b` }, app.caller);
    expect(await words(update(ann.id, { handle: `${ann.handle}-c` }, app.caller))).toMatch(
      /^handle: can be changed once in 30 days: again from \d{4}-/,
    );
    home.clock.advance(30 * day);
    expect(await failure(update(ann.id, { handle: `${ann.handle}-c` }, app.caller))).toBe('none');
  });

  test('taken by another person is refused, even concurrently', async () => {
    const other = await newPerson(home, app);
    expect(await words(update(ann.id, { handle: other.handle }, app.caller))).toBe(
      `handle: "${other.handle}" is taken; choose another`,
    );
    const wanted = `${ann.handle}-both`;
    const results = await Promise.all(
      [ann, other].map(({ id }) => failure(update(id, { handle: wanted }, app.caller))),
    );
    expect(results.sort()).toEqual(['bad_request bad_field', 'none']);
  });

  test('numbers an AI whose new address once belonged to another AI of the person', async () => {
    const first = await makeAi(ann.uuid, `@${ann.handle}.ai-robin`);
    const fresh = `${ann.handle}-n`;
    await home.run(sql`
      insert into identity.addresses (address, ai, since) values (${`@${fresh}.ai-robin`}, ${first}, now())`);
    const second = await makeAi(ann.uuid, `@${ann.handle}.ai-robin-x`);
    await home.run(sql`update identity.addresses set ai = ${second} where address = ${`@${fresh}.ai-robin`}`);
    await update(ann.id, { handle: fresh }, app.caller);
    const { address } = await home.database.db.one<{ address: string }>(
      sql`select address from identity.ais where id = ${first}`,
    );
    expect(address).toBe(`@${fresh}.ai-robin-2`);
  });
});
