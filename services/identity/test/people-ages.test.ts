import { sql } from '@hearth/db';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { moveAgeBands, nightlyAgeBands } from '../src/people/jobs/move-age-bands.ts';
import {
  announced,
  failure,
  heard,
  newApp,
  newPerson,
  start as startedAt,
  startPeople,
  type TestPerson,
  webCaller,
} from './start-people.ts';

let ann: TestPerson;

// In Zurich (UTC+1 or UTC+2) a month begins one or two hours before it does in UTC.
const home = await startPeople();
const app = await newApp(home);
afterAll(() => home.stop());
beforeEach(async () => {
  home.clock.set(startedAt);
  ann = await newPerson(home, app, { name: 'Ann' });
});

const factsOf = async (uuid: string) =>
  (await home.fromGroups.findPeople({ ids: [uuid] })).results[0]!.facts!;
const storedOf = async (uuid: string) =>
  (
    await home.database.db.one<{ age_band: string }>(
      sql`select age_band from identity.people where id = ${uuid}`,
    )
  ).age_band;
const changesOf = async (uuid: string) =>
  (await announced(home, 'personChanged'))
    .map(({ data }) => data.value)
    .filter(({ person }) => person?.id === uuid);

describe('a band', () => {
  test.each([
    ['child', '2013-05', '2026-05-31T21:59:59Z', AgeBand.CHILD, AgeBand.TEEN13],
    ['teen13', '2010-05', '2026-05-31T21:59:59Z', AgeBand.TEEN13, AgeBand.TEEN16],
    ['teen16', '2008-12', '2026-12-31T22:59:59Z', AgeBand.TEEN16, AgeBand.ADULT],
  ])(
    'of a %s moves when the month of the birthday is over at home',
    async (stored, birthYearMonth, last, before, after) => {
      const { uuid } = await newPerson(home, app, { birthYearMonth, guardian: ann.id });
      home.clock.set(last);
      expect((await factsOf(uuid)).ageBand).toBe(before);
      await moveAgeBands(home.context);
      expect(await changesOf(uuid)).toEqual([]);

      home.clock.advance(1_000);
      // On reading it holds at once, whenever the nightly work comes.
      expect((await factsOf(uuid)).ageBand).toBe(after);
      expect(await storedOf(uuid)).toBe(stored);
      expect(await moveAgeBands(home.context)).toBe(true);
      const changed = after === AgeBand.ADULT ? ['age_band', 'guardian'] : ['age_band'];
      expect(await changesOf(uuid)).toMatchObject([{ changed, seq: 2n, apps: [app.uuid] }]);
      expect((await factsOf(uuid)).ageBand).toBe(after);
      await heard(home, `people ${uuid}`);
      await heard(home, `credentials ${uuid}`);
      await moveAgeBands(home.context);
      expect((await changesOf(uuid)).length).toBe(1);
    },
  );

  test('at 18 ends the guardianship and what the guardian allowed, also while the work is late', async () => {
    const teen = await newPerson(home, app, { birthYearMonth: '2008-05', guardian: ann.id });
    await home.client.updatePerson({ id: teen.id, aiShare: true }, { caller: webCaller(ann.uuid) });
    home.clock.set('2026-06-02T12:00:00Z');
    expect(await factsOf(teen.uuid)).toMatchObject({ ageBand: AgeBand.ADULT, guardians: [], aiShare: false });
    const rename = home.client.updatePerson({ id: teen.id, name: 'T' }, { caller: webCaller(ann.uuid) });
    expect(await failure(rename)).toBe('not_found not_found');
    await moveAgeBands(home.context);
    expect((await changesOf(teen.uuid)).at(-1)!.changed).toEqual(['age_band', 'guardian', 'ai_share']);
    const left = await home.database.db.query(
      sql`select 1 from identity.guardianships where child = ${teen.uuid}`,
    );
    expect(left).toEqual([]);
  });

  test('that was given without a birth stays', async () => {
    const teen = await newPerson(home, app, { ageBand: AgeBand.TEEN16 });
    home.clock.set('2040-01-01T12:00:00Z');
    await moveAgeBands(home.context);
    expect((await factsOf(teen.uuid)).ageBand).toBe(AgeBand.TEEN16);
  });

  test('never moves back', async () => {
    const teen = await newPerson(home, app, { birthYearMonth: '2013-05', guardian: ann.id });
    home.clock.set('2026-06-02T12:00:00Z');
    await moveAgeBands(home.context);
    home.clock.set(startedAt);
    expect((await factsOf(teen.uuid)).ageBand).toBe(AgeBand.TEEN13);
    await moveAgeBands(home.context);
    expect(await storedOf(teen.uuid)).toBe('teen13');
  });
});

describe('the nightly work', () => {
  test('of several replicas moves each once', async () => {
    const teens = await Promise.all(
      Array.from({ length: 40 }, () => newPerson(home, app, { birthYearMonth: '2010-05', guardian: ann.id })),
    );
    home.clock.set('2026-06-02T12:00:00Z');
    await Promise.all([1, 2, 3].map(() => moveAgeBands(home.context)));
    await moveAgeBands(home.context);
    for (const { uuid } of teens) expect((await changesOf(uuid)).length).toBe(1);
  });

  test('passes over who is in other hands, and says so', async () => {
    const [one, other] = await Promise.all(
      [1, 2].map(() => newPerson(home, app, { birthYearMonth: '2010-05', guardian: ann.id })),
    );
    home.clock.set('2026-06-02T12:00:00Z');
    await home.database.transaction(async (tx) => {
      await tx.execute(sql`select 1 from identity.people where id = ${one!.uuid} for update`);
      expect(await moveAgeBands(home.context)).toBe(false);
    });
    expect([await storedOf(one!.uuid), await storedOf(other!.uuid)]).toEqual(['teen13', 'teen16']);
    expect(await moveAgeBands(home.context)).toBe(true);
    expect(await storedOf(one!.uuid)).toBe('teen16');
  });

  test('is done once on each day of the home', async () => {
    const work = nightlyAgeBands(home.context);
    const teen = await newPerson(home, app, { birthYearMonth: '2010-05', guardian: ann.id });
    home.clock.set('2026-05-31T21:00:00Z');
    await work();
    const back = () =>
      home.database.statement((tx) =>
        tx.execute(sql`update identity.people set age_band = 'teen13' where id = ${teen.uuid}`),
      );
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
