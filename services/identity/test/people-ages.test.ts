import { sql } from '@hearth/db';
import { printId } from '@hearth/ids';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { moveAgeBands, nightlyAgeBands } from '../src/people/jobs/move-age-bands.ts';
import { sha256 } from './ais.ts';
import { makeApp } from './apps.ts';
import {
  changesOf,
  contextOf,
  factsOf,
  type HeldPerson,
  heard,
  newApp,
  newPerson,
  webCaller,
} from './people.ts';
import { addAi } from './persons.ts';
import { failure, startIdentity } from './start-identity.ts';

const start = '2026-03-01T12:00:00.000Z';
let ann: HeldPerson;

// In Zurich (UTC+1 or UTC+2), a month begins one or two hours earlier than in UTC.
const home = await startIdentity();
const { by } = home;
const app = await newApp(home);
const context = contextOf(home);
afterAll(() => home.stop());
beforeEach(async () => {
  home.clock.set(start);
  ann = await newPerson(home, app, { name: 'Ann' });
});

const storedOf = async (uuid: string) =>
  (
    await home.database.db.one<{ age_band: string }>(
      sql`select age_band from identity.people where id = ${uuid}`,
    )
  ).age_band;

describe('an age band', () => {
  test.each([
    ['child', '2013-05', '2026-05-31T21:59:59Z', AgeBand.CHILD, AgeBand.TEEN13],
    ['teen13', '2010-05', '2026-05-31T21:59:59Z', AgeBand.TEEN13, AgeBand.TEEN16],
    ['teen16', '2008-12', '2026-12-31T22:59:59Z', AgeBand.TEEN16, AgeBand.ADULT],
  ])(
    'of a %s changes when the birth month is over at the home',
    async (stored, birthYearMonth, last, before, after) => {
      const { uuid } = await newPerson(home, app, { birthYearMonth, guardian: ann.id });
      home.clock.set(last);
      expect((await factsOf(home, uuid))?.ageBand).toBe(before);
      await moveAgeBands(context);
      expect(await changesOf(home, uuid)).toEqual([]);

      home.clock.advance(1_000);
      // Reads reflect it at once, whenever the nightly job runs.
      expect((await factsOf(home, uuid))?.ageBand).toBe(after);
      expect(await storedOf(uuid)).toBe(stored);
      expect(await moveAgeBands(context)).toBe(true);
      const changed = after === AgeBand.ADULT ? ['age_band', 'guardian'] : ['age_band'];
      expect(await changesOf(home, uuid)).toMatchObject([{ changed, apps: [app.uuid] }]);
      expect((await factsOf(home, uuid))?.ageBand).toBe(after);
      await heard(home, 'people', uuid);
      await heard(home, 'credentials', uuid);
      await moveAgeBands(context);
      expect((await changesOf(home, uuid)).length).toBe(1);
    },
  );

  test('at 18 ends the guardianship and its consents, even while the job is late', async () => {
    const teen = await newPerson(home, app, { birthYearMonth: '2008-05', guardian: ann.id });
    await by(webCaller(ann.uuid)).updatePerson({ id: teen.id, aiShare: true });
    home.clock.set('2026-06-02T12:00:00Z');
    expect(await factsOf(home, teen.uuid))?.toMatchObject({
      ageBand: AgeBand.ADULT,
      guardians: [],
      aiShare: false,
    });
    const rename = by(webCaller(ann.uuid)).updatePerson({ id: teen.id, name: 'T' });
    expect(await failure(rename)).toBe('not_found not_found');
    await moveAgeBands(context);
    expect((await changesOf(home, teen.uuid)).at(-1)!.changed).toEqual(['age_band', 'guardian', 'ai_share']);
    const left = await home.database.db.query(
      sql`select 1 from identity.guardianships where child = ${teen.uuid}`,
    );
    expect(left).toEqual([]);
  });

  test('applies to credentials and profiles at once, even before the job runs', async () => {
    const held = await makeApp(home, { minors: true });
    const guardian = await newPerson(home, held);
    const [teen, child] = await Promise.all(
      ['2008-05', '2013-05'].map((birthYearMonth) =>
        newPerson(home, held, { birthYearMonth, name: 'Ada Lovelace', guardian: guardian.id }),
      ),
    );
    const { uuid: ai } = await addAi(home, { owner: teen!.uuid });
    const resolve = async (actingFor: string) => {
      const { caller, refusal } = await home.client.resolveCredential({ hash: sha256(held.key), actingFor });
      return caller === undefined ? refusal : { minor: caller.minor, name: caller.name };
    };
    const profile = async () => (await home.fromMessages.findProfiles({ ids: [ai] })).results[0]?.profile;
    await home.run(sql`delete from identity.guardianships where child = ${child!.uuid}`);

    home.clock.set('2026-05-31T21:59:59Z');
    expect(await resolve(teen!.id)).toEqual({ minor: true, name: 'Ada L.' });
    expect(await resolve(printId('ai', ai))).toBe('child');
    expect(await resolve(child!.id)).toBe('no_guardian');
    expect(await profile()).toMatchObject({ minor: true });
    home.clock.advance(1_000);
    expect(await resolve(teen!.id)).toEqual({ minor: false, name: 'Ada Lovelace' });
    expect(await resolve(printId('ai', ai))).toMatchObject({ minor: false });
    expect(await resolve(child!.id)).toMatchObject({ minor: true });
    expect(await profile()).toMatchObject({ minor: false, guardians: [] });
  });

  test('given without a birth month never changes', async () => {
    const teen = await newPerson(home, app, { ageBand: AgeBand.TEEN16 });
    home.clock.set('2040-01-01T12:00:00Z');
    await moveAgeBands(context);
    expect((await factsOf(home, teen.uuid))?.ageBand).toBe(AgeBand.TEEN16);
  });

  test('never decreases', async () => {
    const teen = await newPerson(home, app, { birthYearMonth: '2013-05', guardian: ann.id });
    home.clock.set('2026-06-02T12:00:00Z');
    await moveAgeBands(context);
    home.clock.set(start);
    expect((await factsOf(home, teen.uuid))?.ageBand).toBe(AgeBand.TEEN13);
    await moveAgeBands(context);
    expect(await storedOf(teen.uuid)).toBe('teen13');
  });
});

describe('the nightly job', () => {
  test('moves each person once, across several replicas', async () => {
    const teens = await Promise.all(
      Array.from({ length: 40 }, () => newPerson(home, app, { birthYearMonth: '2010-05', guardian: ann.id })),
    );
    home.clock.set('2026-06-02T12:00:00Z');
    await Promise.all([1, 2, 3].map(() => moveAgeBands(context)));
    await moveAgeBands(context);
    for (const { uuid } of teens) expect((await changesOf(home, uuid)).length).toBe(1);
  });

  test('skips people locked elsewhere, and reports them', async () => {
    const [one, other] = await Promise.all(
      [1, 2].map(() => newPerson(home, app, { birthYearMonth: '2010-05', guardian: ann.id })),
    );
    home.clock.set('2026-06-02T12:00:00Z');
    await home.database.transaction(async (tx) => {
      await tx.execute(sql`select 1 from identity.people where id = ${one!.uuid} for update`);
      expect(await moveAgeBands(context)).toBe(false);
    });
    expect([await storedOf(one!.uuid), await storedOf(other!.uuid)]).toEqual(['teen13', 'teen16']);
    expect(await moveAgeBands(context)).toBe(true);
    expect(await storedOf(one!.uuid)).toBe('teen16');
  });

  test('runs once per day of the home', async () => {
    const work = nightlyAgeBands(context);
    const teen = await newPerson(home, app, { birthYearMonth: '2010-05', guardian: ann.id });
    home.clock.set('2026-05-31T21:00:00Z');
    await work();
    const back = () => home.run(sql`update identity.people set age_band = 'teen13' where id = ${teen.uuid}`);
    home.clock.set('2026-05-31T22:00:00Z');
    await work();
    expect(await storedOf(teen.uuid)).toBe('teen16');
    await back();
    home.clock.set('2026-06-01T21:59:59Z');
    await work();
    expect(await storedOf(teen.uuid)).toBe('teen13');
    home.clock.set('2026-06-01T22:00:00Z');
    await work();
    expect(await storedOf(teen.uuid)).toBe('teen16');
  });
});
