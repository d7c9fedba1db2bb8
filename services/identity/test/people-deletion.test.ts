import { timestampDate } from '@bufbuild/protobuf/wkt';
import { day, minute } from '@hearth/clock';
import { sql } from '@hearth/db';
import { unavailable } from '@hearth/errors';
import type { UnitOfWork } from '@hearth/outbox';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Context as PeopleContext } from '../src/people/context.ts';
import { deleteAccounts } from '../src/people/jobs/delete-accounts.ts';
import { contextOf, factsOf, type HeldPerson, heard, newApp, newPerson, webCaller } from './people.ts';
import { addAi, addGroup } from './persons.ts';
import { failure, operator, startIdentity } from './start-identity.ts';

let ann: HeldPerson;
let bob: HeldPerson;
let child: HeldPerson;
let failed: unknown[];

const home = await startIdentity();
const { by } = home;
const context = contextOf(home);
const app = await newApp(home);
const otherApp = await newApp(home);
afterAll(() => home.stop());
beforeEach(async () => {
  ann = await newPerson(home, app, { name: 'Ann Smith', externalId: home.ids.token(10) });
  bob = await newPerson(home, app, { name: 'Bob Smith' });
  child = await newPerson(home, app, { name: 'Cy Smith', birthYearMonth: '2018-05', guardian: ann.id });
  failed = [];
});

type Caller = ReturnType<typeof webCaller>;
const remove = (person: HeldPerson, caller: Caller, confirm = person.handle) =>
  by(caller).deleteAccount({ id: person.id, confirm });
const keep = (person: HeldPerson, caller: Caller) => by(caller).keepAccount({ id: person.id });
const runJob = () => deleteAccounts(context, { error: (...told: unknown[]) => failed.push(told) });
const deletionsOf = async (uuid: string) =>
  (await home.announced('accountDeleted')).filter(({ data }) => data.value.deleted.includes(uuid));
const count = async (table: string, where: string, uuid: string) =>
  (
    await home.database.db.one<{ count: number }>({
      text: `select count(*) from identity.${table} where ${where} = $1`,
      values: [uuid],
    })
  ).count;

const makeAi = async (owner: string, claimed: { byLink: boolean; at: Date }) =>
  (await addAi(home, { owner, claimed })).uuid;

/** Inserts a row into every table that refers to a person. */
async function furnish(person: string, hash = Buffer.from(home.ids.token(20))): Promise<void> {
  const id = () => home.ids.uuid();
  const now = new Date(home.clock.now());
  const ai = await makeAi(person, { byLink: false, at: now });
  await home.run(sql`update identity.people set email = ${`${person}@example.org`} where id = ${person}`);
  await home.run(sql`
    update identity.ais set name = 'Ann’s helper', name_before = 'Helper', description = 'Does what Ann wants',
      away_until = ${now}, away_note = 'On the road with Ann' where id = ${ai}`);
  await home.run(sql`
    insert into identity.sessions (id, person, hash, created_at, ends_at) values (${id()}, ${person}, ${hash}, ${now}, ${now})`);
  await home.run(sql`
    insert into identity.passkeys (id, person, public_key, counter, created_at) values (${hash}, ${person}, ${hash}, 0, ${now})`);
  await home.run(sql`
    insert into identity.email_codes (id, email, purpose, code_hash, created_at, expires_at)
    values (${id()}, ${`${person}@example.org`}, 'sign_in', ${hash}, ${now}, ${now})`);
  await home.run(sql`
    insert into identity.passkey_challenges (challenge, purpose, person, expires_at)
    values (${person}, 'register', ${person}, ${now})`);
  await home.run(sql`
    insert into identity.oauth_grants (id, person, ai, client_id, client_name, scopes, created_at)
    values (${person}, ${person}, ${ai}, 'c', 'C', ${['read']}, ${now})`);
  await home.run(sql`
    insert into identity.oauth_objects (model, id_hash, grant_id, payload, created_at)
    values ('AccessToken', ${hash}, ${person}, '{}', ${now})`);
  await home.run(
    sql`insert into identity.notes (id, person, by_person, text, at) values (${id()}, ${person}, true, 'n', ${now})`,
  );
  await home.run(sql`
    insert into identity.app_links (app, person, asked_at) values (${otherApp.uuid}, ${person}, ${now})`);
}

describe('delete_account', () => {
  test('deletes the account after seven days, is idempotent, and announces once', async () => {
    const first = await remove(ann, ann.web());
    expect(timestampDate(first.deletesAt!).getTime()).toBe(home.clock.now() + 7 * day);
    home.clock.advance(minute);
    expect(await remove(ann, ann.web(), `@${ann.handle.toUpperCase()}`)).toEqual(first);
    const asked = (await home.announced('deletionAsked')).filter(
      ({ data }) => data.value.person?.id === ann.uuid,
    );
    expect(asked).toMatchObject([{ data: { value: { apps: [app.uuid], deletesAt: first.deletesAt } } }]);
    expect((await factsOf(home, ann.uuid))?.name).toBe('Ann Smith');
  });

  test('needs a sign-in of the last ten minutes on the home’s pages, except for a guest', async () => {
    const at = (ago: number) => ann.web({ authenticatedAt: home.clock.now() - ago });
    expect(await failure(remove(ann, at(10 * minute + 1)))).toBe('forbidden needs_person');
    expect(await failure(remove(ann, webCaller(ann.uuid)))).toBe('forbidden needs_person');
    expect(await failure(remove(ann, at(10 * minute)))).toBe('none');
    expect(await failure(remove(bob, webCaller(bob.uuid, { guest: true })))).toBe('none');
    expect(await failure(remove(child, webCaller(ann.uuid)))).toBe('forbidden needs_person');
  });

  test('is for the person, the guardian of a child and the app', async () => {
    expect(await failure(remove(bob, app.caller))).toBe('none');
    expect(await failure(remove(ann, app.actingFor(ann.uuid)))).toBe('none');
    expect(await failure(remove(child, ann.web()))).toBe('none');
    const eve = await newPerson(home, otherApp, { name: 'Eve' });
    expect(await failure(remove(ann, eve.web()))).toBe('not_found not_found');
    expect(await failure(remove(ann, otherApp.caller))).toBe('not_found not_found');
    addGroup(home, [eve, ann]);
    expect(await failure(remove(ann, eve.web()))).toBe('forbidden no_permission');
    expect(await failure(remove(child, app.actingFor(child.uuid)))).toBe('forbidden no_permission');
  });

  test('needs the handle as confirmation', async () => {
    expect(await failure(remove(ann, ann.web(), 'somebody-else'))).toBe('bad_request bad_field');
    expect(await failure(remove(ann, ann.web(), ''))).toBe('bad_request bad_field');
  });

  test('called twice concurrently takes effect once', async () => {
    const [one, two] = await Promise.all([remove(ann, ann.web()), remove(ann, app.caller)]);
    expect(one).toEqual(two);
  });
});

describe('keep_account', () => {
  test('cancels a deletion within the seven days, and otherwise does nothing', async () => {
    expect((await keep(ann, app.caller)).id).toBe(ann.id);
    await remove(ann, ann.web());
    home.clock.advance(7 * day - 1);
    expect((await keep(ann, webCaller(ann.uuid))).id).toBe(ann.id);
    await keep(ann, webCaller(ann.uuid));
    const back = (await home.announced('deletionTakenBack')).filter(
      ({ data }) => data.value.person?.id === ann.uuid,
    );
    expect(back.length).toBe(1);
    home.clock.advance(day);
    await runJob();
    expect(await factsOf(home, ann.uuid)).toBeDefined();
  });

  test('is refused after the deadline', async () => {
    await remove(ann, ann.web());
    home.clock.advance(7 * day);
    expect(await failure(keep(ann, app.caller))).toBe('bad_request not_waiting');
    await runJob();
    expect(await failure(keep(ann, app.caller))).toBe('not_found not_found');
  });
});

describe('the operator', () => {
  const remove = (id: string, reason = 'by mail') => by(operator).deletePerson({ id, reason });
  const keep = (id: string) => by(operator).keepPerson({ id, reason: 'sorry' });

  test('deletes an account with the same grace period, and releases an AI claimed by link at once', async () => {
    const ai = await makeAi(ann.uuid, { byLink: true, at: new Date(home.clock.now()) });
    const { deletesAt } = await remove(`@${ann.handle}`);
    expect(timestampDate(deletesAt!).getTime()).toBe(home.clock.now() + 7 * day);
    home.clock.advance(minute);
    expect((await remove(ann.id, 'again')).deletesAt).toEqual(deletesAt);
    const asked = (await home.announced('deletionAsked')).filter(
      ({ data }) => data.value.person?.id === ann.uuid,
    );
    expect(asked).toMatchObject([
      { data: { value: { apps: [app.uuid], deletesAt, reason: 'by mail' } }, by: { kind: operator.kind } },
    ]);
    expect((await home.announced('aiUnclaimed')).map(({ data }) => data.value.ai?.id)).toContain(ai);
    home.clock.advance(7 * day);
    expect(await failure(keep(ann.id))).toBe('bad_request not_waiting');
    await runJob();
    expect(await factsOf(home, ann.uuid)).toBeUndefined();
    for (const act of [remove, keep]) expect(await failure(act(ann.id))).toBe('not_found not_found');
  });

  test('keeps an account, also of a child, and so may anyone else with that right', async () => {
    expect((await remove(child.id)).handle).toBeUndefined();
    expect((await keep(child.id)).deletesAt).toBeUndefined();
    await keep(child.id);
    const back = (await home.announced('deletionTakenBack')).filter(
      ({ data }) => data.value.person?.id === child.uuid,
    );
    expect(back.map(({ data }) => data.value.reason)).toEqual(['sorry']);
    await remove(child.id);
    await by(ann.web()).keepAccount({ id: child.id });
    home.clock.advance(7 * day);
    await runJob();
    expect(await factsOf(home, child.uuid)).toBeDefined();
  });
});

describe('after the seven days', () => {
  test('no personal data is left, and the handle is never reused', async () => {
    await furnish(ann.uuid);
    await remove(ann, ann.web());
    await runJob();
    expect(await factsOf(home, ann.uuid)).toBeDefined();
    home.clock.advance(7 * day);
    await runJob();
    expect(failed).toEqual([]);

    expect(await factsOf(home, ann.uuid)).toBeUndefined();
    expect(await failure(by(app).getPerson({ id: ann.id }))).toBe('not_found not_found');
    const { results } = await home.fromGroups.findPeople({ handles: [ann.handle] });
    expect(results[0]!.facts).toBeUndefined();
    const row = await home.database.db.one(sql`
      select name, birth, email, external_id, app, handle, age_band from identity.people where id = ${ann.uuid}`);
    expect(row).toEqual({
      name: 'deleted account',
      birth: null,
      email: null,
      external_id: null,
      app: null,
      handle: ann.handle,
      age_band: 'adult',
    });
    const ais = await home.database.db.query(sql`
      select name, name_before, description, away_until, away_note from identity.ais where owner = ${ann.uuid}`);
    expect(ais).toEqual([
      { name: 'deleted account', name_before: null, description: '', away_until: null, away_note: '' },
    ]);
    for (const table of [
      'sessions',
      'passkeys',
      'passkey_challenges',
      'oauth_grants',
      'notes',
      'app_links',
    ]) {
      expect([table, await count(table, 'person', ann.uuid)]).toEqual([table, 0]);
    }
    expect(await count('email_codes', 'email', `${ann.uuid}@example.org`)).toBe(0);
    expect(await count('oauth_objects', 'grant_id', ann.uuid)).toBe(0);
    expect(await count('guardianships', 'guardian', ann.uuid)).toBe(0);
    const again = { name: 'Ann', ageBand: AgeBand.ADULT, handle: ann.handle };
    expect(await failure(by(app).createPerson(again))).toBe('bad_request bad_field');
    for (const subject of ['people', 'credentials'] as const) await heard(home, subject, ann.uuid);
  });

  test('the deletion is announced with its effects, for every app concerned, which must confirm it', async () => {
    const group = home.ids.uuid();
    const ended = home.ids.uuid();
    const second = await newPerson(home, app, { name: 'Dee', birthYearMonth: '2019-05', guardian: ann.id });
    home.clock.advance(1);
    await by(app).setGuardian({ id: second.id, guardian: bob.id, second: true });
    await by(ann.web()).updatePerson({ id: child.id, aiShare: true });
    home.neighbours.drops.set(ann.uuid, {
      organizers: [{ group, person: bob.uuid }],
      archived: [ended],
      apps: [otherApp.uuid],
    });
    await remove(ann, ann.web());
    home.clock.advance(7 * day);
    await runJob();
    const [event, ...others] = await deletionsOf(ann.uuid);
    expect(others).toEqual([]);
    const { value } = event!.data;
    expect(value).toMatchObject({
      deleted: [ann.uuid],
      organizers: [{ group, person: bob.uuid }],
      archived: [ended],
    });
    expect(value.handovers.map(({ child: of, guardian }) => [of, guardian])).toEqual(
      expect.arrayContaining([
        [child.uuid, ''],
        [second.uuid, bob.uuid],
      ]),
    );
    expect(value.apps.toSorted()).toEqual([app.uuid, otherApp.uuid].toSorted());
    const told = await home.database.db.query<{ app: string }>(sql`
      select d.app from identity.app_deletions d join identity.outbox o on o.id = d.event
      where 'evt_' || replace(o.id::text, '-', '') = ${event!.id} and d.confirmed_at is null order by d.app`);
    expect(told.map((row) => row.app)).toEqual(value.apps.toSorted());

    expect((await factsOf(home, child.uuid))?.guardians).toEqual([]);
    expect((await factsOf(home, child.uuid))?.aiShare).toBe(false);
    expect((await factsOf(home, second.uuid))?.guardians).toEqual([bob.uuid]);
    const changes = (await home.announced('personChanged')).map(({ data }) => data.value);
    expect(changes.filter(({ person }) => person?.id === child.uuid).at(-1)!.changed).toEqual([
      'guardian',
      'ai_share',
    ]);
    await heard(home, 'people', child.uuid);
  });

  test('AIs are switched off, and one claimed by link within the last day is released', async () => {
    await remove(ann, ann.web());
    home.clock.advance(7 * day);
    const hoursAgo = (hours: number) => new Date(home.clock.now() - hours * 60 * minute);
    const fresh = await makeAi(ann.uuid, { byLink: true, at: hoursAgo(23) });
    const older = await makeAi(ann.uuid, { byLink: true, at: hoursAgo(24) });
    const made = await makeAi(ann.uuid, { byLink: false, at: hoursAgo(1) });
    await runJob();
    const rows = await home.database.db.query<{ id: string; status: string; off: boolean }>(sql`
      select id, status, revoked_at is not null as off, owner from identity.ais where id = any(${[fresh, older, made]})`);
    const byId = new Map(rows.map((row) => [row.id, row]));
    expect(byId.get(fresh)).toMatchObject({ status: 'unclaimed', off: false, owner: null });
    expect(byId.get(older)).toMatchObject({ off: true });
    expect(byId.get(made)).toMatchObject({ off: true });
    const revoked = (await home.announced('aiRevoked')).map(({ data }) => data.value);
    expect(revoked).toEqual(
      expect.arrayContaining([expect.objectContaining({ ai: made, owner: ann.uuid, apps: [app.uuid] })]),
    );
    const released = (await home.announced('aiUnclaimed')).map(({ data }) => data.value);
    expect(released).toContainEqual(expect.objectContaining({ owner: ann.uuid, why: 'released' }));
    await heard(home, 'credentials', made);
  });

  test("a child's guardianship ends with the account", async () => {
    await remove(child, ann.web());
    home.clock.advance(7 * day);
    await runJob();
    expect(await count('guardianships', 'child', child.uuid)).toBe(0);
    expect(await count('consents', 'child', child.uuid)).toBe(0);
    expect((await deletionsOf(child.uuid))[0]!.data.value.handovers).toEqual([]);
  });
});

describe('the job', () => {
  const steps = [
    'groups are away',
    'after the groups',
    'after the AIs',
    'after the children',
    'before the announcement',
    'before the commit',
  ] as const;

  /** The context of a process that is killed at that step. */
  function failingAt(step: (typeof steps)[number]): PeopleContext {
    const boom = unavailable(`killed: ${step}`);
    if (step === 'groups are away') {
      return {
        ...context,
        groups: { ...context.groups, dropPerson: async () => Promise.reject(boom) },
      };
    }
    if (step === 'after the groups') {
      return { ...context, commit: failingCommit(async () => Promise.reject(boom)) };
    }
    const at = {
      'after the AIs': 1,
      'after the children': 2,
      'before the announcement': 3,
      'before the commit': 4,
    }[step];
    return {
      ...context,
      commit: failingCommit(async (tx, work) => {
        let announcements = 0;
        await work({
          ...tx,
          announce(...given) {
            announcements += 1;
            if (announcements === at) throw boom;
            tx.announce(...given);
          },
        });
        throw boom;
      }),
    };
  }

  /** Runs a transaction's work so that it fails. */
  function failingCommit(
    run: (tx: UnitOfWork, work: (tx: UnitOfWork) => Promise<unknown>) => Promise<never>,
  ): PeopleContext['commit'] {
    return Object.assign(
      (work: (tx: UnitOfWork) => Promise<unknown>) => context.commit((tx) => run(tx, work)),
      { statement: context.commit.statement, awaitSettled: context.commit.awaitSettled },
    ) as PeopleContext['commit'];
  }

  test.each(steps)('killed when %s, is atomic, and completes when it runs again', async (step) => {
    await furnish(ann.uuid);
    home.neighbours.drops.set(ann.uuid, { archived: [], organizers: [], apps: [otherApp.uuid] });
    await remove(ann, ann.web());
    home.clock.advance(7 * day);
    await deleteAccounts(failingAt(step), { error: (...told: unknown[]) => failed.push(told) });
    expect(failed.length).toBe(1);
    expect(await factsOf(home, ann.uuid)).toBeDefined();
    expect((await factsOf(home, child.uuid))?.guardians).toEqual([ann.uuid]);
    expect(await count('sessions', 'person', ann.uuid)).toBe(1);
    expect(await deletionsOf(ann.uuid)).toEqual([]);

    await runJob();
    await runJob();
    expect(failed.length).toBe(1);
    expect(await factsOf(home, ann.uuid)).toBeUndefined();
    expect((await factsOf(home, child.uuid))?.guardians).toEqual([]);
    expect((await deletionsOf(ann.uuid)).map(({ data }) => data.value.apps.toSorted())).toEqual([
      [app.uuid, otherApp.uuid].toSorted(),
    ]);
  });

  test('run twice concurrently deletes once', async () => {
    await remove(ann, ann.web());
    home.clock.advance(7 * day);
    await Promise.all([runJob(), runJob(), runJob()]);
    expect(failed).toEqual([]);
    expect((await deletionsOf(ann.uuid)).length).toBe(1);
  });

  test('continues after a failing account', async () => {
    await remove(ann, ann.web());
    await remove(bob, bob.web());
    home.clock.advance(7 * day);
    const groups = {
      ...context.groups,
      dropPerson: (async (request: { person: string }, options: object) => {
        if (request.person === ann.uuid) throw unavailable('away');
        return await context.groups.dropPerson(request, options);
      }) as PeopleContext['groups']['dropPerson'],
    };
    await deleteAccounts({ ...context, groups }, { error: (...told: unknown[]) => failed.push(told) });
    expect(failed.length).toBe(1);
    expect(await factsOf(home, ann.uuid)).toBeDefined();
    expect(await factsOf(home, bob.uuid)).toBeUndefined();
    await runJob();
    expect(await factsOf(home, ann.uuid)).toBeUndefined();
  });

  test('announces that a child has no guardian left when both are deleted concurrently', async () => {
    home.clock.advance(1);
    await by(app).setGuardian({ id: child.id, guardian: bob.id, second: true });
    await remove(ann, ann.web());
    await remove(bob, bob.web());
    home.clock.advance(7 * day);
    await Promise.all([runJob(), runJob()]);
    expect(failed).toEqual([]);
    expect((await factsOf(home, child.uuid))?.guardians).toEqual([]);
    const handovers = (await home.announced('accountDeleted'))
      .flatMap(({ data }) => data.value.handovers)
      .filter((handover) => handover.child === child.uuid);
    expect(handovers.length).toBe(2);
    expect(handovers.map(({ guardian }) => guardian)).toContain('');
  });
});
