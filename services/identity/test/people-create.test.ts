import { sql } from '@hearth/db';
import { printId } from '@hearth/ids';
import { AgeSource, PeopleService } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { afterAll, describe, expect, test } from '@jest/globals';
import { updateEmail } from '../src/shared/db/person-emails.ts';
import { aiOf, newApp, newPerson, webCaller } from './people.ts';
import { failure, startIdentity, words } from './start-identity.ts';

const home = await startIdentity();
const { by } = home;
const app = await newApp(home);
afterAll(() => home.stop());

const create = (wanted: object, caller = app.caller) =>
  by(caller).createPerson({ name: 'Ann Smith', ...wanted } as never);
const rowOf = (uuid: string) =>
  home.database.db.one<{ birth: Buffer | null; age_band: string; age_source: string; time_zone: string }>(
    sql`select birth, age_band, age_source, time_zone from identity.people where id = ${uuid}`,
  );

describe('a new person', () => {
  test('is shown in full to the app that holds them, and announced to it', async () => {
    const { uuid, person } = await newPerson(home, app, { name: 'Ada Lovelace' });
    expect(person).toMatchObject({
      id: printId('per', uuid),
      address: '@ada-lovelace',
      handle: 'ada-lovelace',
      name: 'Ada Lovelace',
      ageBand: AgeBand.ADULT,
      guest: false,
      app: printId('app', app.uuid),
      shielded: false,
    });
    expect(person.guardian).toBeUndefined();
    const made = (await home.announced('personCreated')).find((e) => e.data.value.person?.id === uuid);
    expect(made?.data.value).toMatchObject({ apps: [app.uuid], person: { handle: 'ada-lovelace' } });
    expect(made?.by?.app).toBe(app.uuid);
    expect(await rowOf(uuid)).toMatchObject({ age_source: 'self', time_zone: 'Europe/Zurich' });
  });

  test('gets a unique handle from the name, never a reserved one', async () => {
    const handles = [];
    for (const name of ['Bo Li', 'Bo Li', 'Bo Li', 'Admin', '李小龙', 'Jo']) {
      handles.push((await newPerson(home, app, { name })).handle);
    }
    expect(handles).toEqual(['bo-li', 'bo-li-2', 'bo-li-3', 'person-admin', 'person', 'person-jo']);
  });

  test('gets a unique handle when several people of one name are created concurrently', async () => {
    const made = await Promise.all(
      Array.from({ length: 30 }, () => newPerson(home, app, { name: 'Kim Park' })),
    );
    expect(new Set(made.map(({ handle }) => handle)).size).toBe(30);
  });

  test('under 18 gets a handle without the full name', async () => {
    const { handle } = await newPerson(home, app, { name: 'Grace Hopper', birthYearMonth: '2009-01' });
    expect(handle).toMatch(/^grace(-\d+)?$/);
  });

  test('has a sealed birth month, or only the given age band', async () => {
    const teen = await newPerson(home, app, { birthYearMonth: '2009-01', ageSource: AgeSource.DOCUMENT });
    expect(teen.person.ageBand).toBe(AgeBand.TEEN16);
    const row = await rowOf(teen.uuid);
    expect(row.age_source).toBe('document');
    expect(row.birth!.includes(Buffer.from('2009-01'))).toBe(false);
    const adult = await newPerson(home, app, { ageBand: AgeBand.TEEN16 });
    expect((await rowOf(adult.uuid)).birth).toBeNull();
  });

  test('has an age that counts from the month after the birthday', async () => {
    // It is March 2026: a person born in March 2008 may not turn 18 until its last day.
    expect((await create({ birthYearMonth: '2008-03' })).ageBand).toBe(AgeBand.TEEN16);
    expect((await create({ birthYearMonth: '2008-02' })).ageBand).toBe(AgeBand.ADULT);
  });

  test.each([
    ['neither age', { ageBand: undefined }, 'bad_request bad_field'],
    [
      'both ages, which differ',
      { ageBand: AgeBand.ADULT, birthYearMonth: '2010-01' },
      'bad_request bad_field',
    ],
    ['a birth to come', { birthYearMonth: '2026-04' }, 'bad_request bad_field'],
    ['a birth of nobody alive', { birthYearMonth: '1906-02' }, 'bad_request bad_field'],
    ['no month', { birthYearMonth: '2010-13' }, 'bad_request bad_field'],
    ['no time zone', { timeZone: 'Europe/Atlantis' }, 'bad_request bad_field'],
    ['no language', { language: 'Deutsch' }, 'bad_request bad_field'],
    ['an offset for a time zone', { timeZone: '+01:00' }, 'bad_request bad_field'],
    ['a handle of the home', { handle: 'admin' }, 'bad_request bad_field'],
    ['a handle of AIs without an owner', { handle: 'free-abcdef' }, 'bad_request bad_field'],
    ['a handle with a hyphen at its end', { handle: 'ann-' }, 'bad_request bad_field'],
    ['a name with an address in it', { name: 'write to @ann' }, 'bad_request bad_field'],
    ['a name that nobody can see', { name: '\u200b \u2060' }, 'bad_request bad_field'],
    ['a child without a guardian', { ageBand: AgeBand.CHILD }, 'bad_request guardian_needed'],
    ['a teenager of 15 without one', { birthYearMonth: '2010-06' }, 'bad_request guardian_needed'],
    [
      'a band that may be below the age of consent',
      { ageBand: AgeBand.TEEN13, locale: 'de-AT' },
      'bad_request guardian_needed',
    ],
    ['a guardian for an adult', { guardian: '@ada-lovelace' }, 'bad_request bad_field'],
    [
      'a guardian who is nobody',
      { ageBand: AgeBand.CHILD, guardian: '@nobody-here' },
      'bad_request bad_field',
    ],
  ])('is refused with %s', async (_, wanted, expected) => {
    const base = 'birthYearMonth' in wanted || 'ageBand' in wanted ? {} : { ageBand: AgeBand.ADULT };
    expect(await failure(create({ ...base, ...wanted }))).toBe(expected);
  });

  test('needs no guardian where local law allows it', async () => {
    const teen = { birthYearMonth: '2012-05' };
    expect(await failure(create({ ...teen, locale: 'en-US' }))).toBe('none');
    expect(await failure(create({ ...teen, locale: 'de-AT' }))).toBe('bad_request guardian_needed');
    expect(await failure(create({ birthYearMonth: '2011-01', locale: 'de-AT' }))).toBe('none');
    expect(await failure(create({ ...teen, locale: 'en' }))).toBe('bad_request guardian_needed');
  });

  test('is created by apps, and an adult by no person', async () => {
    const { uuid } = await newPerson(home, app);
    const body = { ageBand: AgeBand.ADULT };
    expect(await failure(create(body, webCaller(uuid)))).toBe('bad_request bad_field');
    expect(await failure(create(body, aiOf(uuid)))).toBe('forbidden no_permission');
    expect(await failure(create(body, app.actingFor(uuid)))).toBe('none');
  });

  test('under 18 needs an app with permission to hold minors', async () => {
    const other = await newApp(home, { minors: false });
    expect(await failure(create({ birthYearMonth: '2009-01' }, other.caller))).toBe(
      'forbidden minors_not_allowed',
    );
    expect(await failure(create({ ageBand: AgeBand.ADULT }, other.caller))).toBe('none');
  });

  test('has a unique handle, forever', async () => {
    await create({ ageBand: AgeBand.ADULT, handle: 'only-one' });
    expect(await words(create({ ageBand: AgeBand.ADULT, handle: 'only-one' }))).toBe(
      'handle: "only-one" is taken; choose another',
    );
    const tries = await Promise.all(
      [1, 2, 3].map(() => failure(create({ ageBand: AgeBand.ADULT, handle: 'raced-for' }))),
    );
    expect(tries.sort()).toEqual(['bad_request bad_field', 'bad_request bad_field', 'none']);
  });

  test('has a unique external id within one app', async () => {
    const first = await newPerson(home, app, { externalId: 'u-1' });
    expect(await words(create({ ageBand: AgeBand.ADULT, externalId: 'u-1' }))).toContain(first.id);
    const other = await newApp(home);
    expect(await failure(create({ ageBand: AgeBand.ADULT, externalId: 'u-1' }, other.caller))).toBe('none');
  });
});

describe('a guardian', () => {
  test('of the same app is named with the child, and the consent is kept', async () => {
    const parent = await newPerson(home, app, { name: 'Pat Roe' });
    for (const guardian of [parent.id, `@${parent.handle}`, `${parent.handle}@hearth.example`]) {
      const child = await newPerson(home, app, { name: 'Cy Roe', birthYearMonth: '2018-05', guardian });
      expect(child.person).toMatchObject({ ageBand: AgeBand.CHILD, guardian: parent.id, aiShare: false });
      const consents = await home.database.db.query(
        sql`select what, method, person, app from identity.consents where child = ${child.uuid} order by what`,
      );
      expect(consents).toEqual(
        ['account', 'guardian'].map((what) => ({
          what,
          method: 'app',
          person: parent.uuid,
          app: app.uuid,
        })),
      );
    }
  });

  test('of another app must consent first: held_elsewhere', async () => {
    const elsewhere = await newPerson(home, await newApp(home));
    const body = { ageBand: AgeBand.CHILD, guardian: elsewhere.id };
    expect(await failure(create(body))).toBe('bad_request held_elsewhere');
  });

  test('must be an adult', async () => {
    const teen = await newPerson(home, app, { birthYearMonth: '2009-01' });
    expect(await words(create({ ageBand: AgeBand.CHILD, guardian: teen.id }))).toBe(
      'guardian: must be an adult',
    );
  });
});

describe('a repeated request_id', () => {
  const body = { ageBand: AgeBand.ADULT, requestId: 'r-1', name: 'Rey Once' };

  test('creates one person, even concurrently', async () => {
    const made = await Promise.all([create(body), create(body), create(body)]);
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect((await create(body)).id).toBe(made[0]!.id);
  });

  test('returns the same answer even when the request would fail by now', async () => {
    const guardian = await newPerson(home, app);
    const childs = { birthYearMonth: '2018-05', guardian: guardian.id, requestId: 'r-child' };
    const made = await create(childs);
    await home.run(sql`update identity.apps set minors = false where id = ${app.uuid}`);
    try {
      expect((await create(childs)).id).toBe(made.id);
      expect(await failure(create({ ...childs, requestId: 'r-other' }))).toBe('forbidden minors_not_allowed');
    } finally {
      await home.run(sql`update identity.apps set minors = true where id = ${app.uuid}`);
    }
  });

  test('is refused for a different request, and is scoped to the app', async () => {
    expect(await failure(create({ ...body, name: 'Rey Twice' }))).toBe('bad_request request_id_reused');
    const other = await newApp(home);
    expect((await create(body, other.caller)).handle).not.toBe('rey-once');
  });
});

describe('facts about people for other services', () => {
  test('by uuid and by handle, in order, without unknown people', async () => {
    const parent = await newPerson(home, app, { name: 'Fay Find' });
    const child = await newPerson(home, app, {
      name: 'Flo Find',
      birthYearMonth: '2018-05',
      guardian: parent.id,
      locale: 'de-AT',
      language: 'DE',
    });
    const nobody = home.ids.uuid();
    const { results } = await home.fromGroups.findPeople({
      ids: [child.uuid, nobody, 'no-uuid', parent.uuid],
      handles: [parent.handle, 'nobody-here', '@'],
    });
    expect(results.map(({ facts }) => facts?.id)).toEqual([
      child.uuid,
      undefined,
      undefined,
      parent.uuid,
      parent.uuid,
      undefined,
      undefined,
    ]);
    expect(results[0]!.facts).toMatchObject({
      handle: 'flo',
      name: 'Flo Find',
      ageBand: AgeBand.CHILD,
      guest: false,
      guardians: [parent.uuid],
      aiShare: false,
      app: app.uuid,
      timeZone: 'Europe/Zurich',
      language: 'de',
      consentAge: 14,
      email: '',
    });
  });

  test('by the email address of a sign-in, after the others', async () => {
    const ann = await newPerson(home, app, { name: 'Ann Mail' });
    const email = `ann-${ann.uuid.slice(-8)}@mail.example`;
    await home.database.statement((tx) => updateEmail(tx, ann.uuid, email));
    const { results } = await home.fromGroups.findPeople({
      handles: ['nobody-here'],
      emails: ['nobody@mail.example', email],
    });
    expect(results.map(({ facts }) => facts?.id)).toEqual([undefined, undefined, ann.uuid]);
  });

  test('at most 500 at once, and for services only', async () => {
    const ids = Array.from({ length: 501 }, () => home.ids.uuid());
    expect(await failure(home.fromGroups.findPeople({ ids }))).toBe('bad_request bad_field');
    expect((await home.fromGroups.findPeople({ ids: ids.slice(1) })).results.length).toBe(500);
    const asFederation = home.home.client(PeopleService, 'federation');
    await expect(asFederation.findPeople({ ids: [] })).rejects.toThrow();
  });
});
