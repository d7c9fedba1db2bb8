import { timestampDate } from '@bufbuild/protobuf/wkt';
import { day, minute } from '@hearth/clock';
import { sql } from '@hearth/db';
import { unavailable } from '@hearth/errors';
import type { UnitOfWork } from '@hearth/outbox';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Context as PeopleContext } from '../src/people/context.ts';
import { deleteAccounts } from '../src/people/jobs/delete-accounts.ts';
import {
  announced,
  failure,
  heard,
  newApp,
  newPerson,
  startPeople,
  type TestPerson,
  webCaller,
} from './start-people.ts';

let ann: TestPerson;
let bob: TestPerson;
let child: TestPerson;
let failed: unknown[];

const home = await startPeople();
const { context } = home;
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
const remove = (person: TestPerson, caller: Caller, confirm = person.handle) =>
  home.client.deleteAccount({ id: person.id, confirm }, { caller });
const keep = (person: TestPerson, caller: Caller) => home.client.keepAccount({ id: person.id }, { caller });
const runJob = () => deleteAccounts(context, { error: (...told: unknown[]) => failed.push(told) });
const factsOf = async (uuid: string) => (await home.fromGroups.findPeople({ ids: [uuid] })).results[0]!.facts;
const deletionsOf = async (uuid: string) =>
  (await announced(home, 'accountDeleted')).filter(({ data }) => data.value.deleted.includes(uuid));
const count = async (table: string, where: string, uuid: string) =>
  (
    await home.database.db.one<{ count: number }>({
      text: `select count(*) from identity.${table} where ${where} = $1`,
      values: [uuid],
    })
  ).count;
const run = (statement: ReturnType<typeof sql>) => home.database.statement((tx) => tx.execute(statement));

async function makeAi(owner: string, claim: { byLink: boolean; at: Date }): Promise<string> {
  const id = home.ids.uuid();
  const address = `@free-${id.slice(-6)}.ai-robin`;
  await run(sql`
    insert into identity.ais (id, address, name, platform, owner, status, permissions, created_at, claimed_at,
      claimed_by_link, address_before)
    values (${id}, ${address}, 'Robin', 'other', ${owner}, 'claimed', ${['read']}, ${claim.at}, ${claim.at},
      ${claim.byLink}, ${address})`);
  return id;
}

/** Something in every table that knows a person. */
async function furnish(person: string, hash = Buffer.from(home.ids.token(20))): Promise<void> {
  const id = () => home.ids.uuid();
  const now = new Date(home.clock.now());
  const ai = await makeAi(person, { byLink: false, at: now });
  await run(sql`update identity.people set email = ${`${person}@example.org`} where id = ${person}`);
  await run(sql`
    insert into identity.sessions (id, person, hash, created_at, ends_at) values (${id()}, ${person}, ${hash}, ${now}, ${now})`);
  await run(sql`
    insert into identity.passkeys (id, person, public_key, counter, created_at) values (${hash}, ${person}, ${hash}, 0, ${now})`);
  await run(sql`
    insert into identity.email_codes (id, email, purpose, code_hash, created_at, expires_at)
    values (${id()}, ${`${person}@example.org`}, 'sign_in', ${hash}, ${now}, ${now})`);
  await run(sql`
    insert into identity.passkey_challenges (challenge, purpose, person, expires_at)
    values (${person}, 'register', ${person}, ${now})`);
  await run(sql`
    insert into identity.oauth_grants (id, person, ai, client_id, client_name, scopes, created_at)
    values (${person}, ${person}, ${ai}, 'c', 'C', ${['read']}, ${now})`);
  await run(sql`
    insert into identity.oauth_objects (model, id_hash, grant_id, payload, created_at)
    values ('AccessToken', ${hash}, ${person}, '{}', ${now})`);
  await run(
    sql`insert into identity.notes (id, person, by_person, text, at) values (${id()}, ${person}, true, 'n', ${now})`,
  );
  await run(sql`
    insert into identity.app_links (app, person, asked_at) values (${otherApp.uuid}, ${person}, ${now})`);
}

describe('delete_account', () => {
  test('lets the account go in seven days; repeated, the same; announced once', async () => {
    const first = await remove(ann, ann.web());
    expect(timestampDate(first.deletesAt!).getTime()).toBe(home.clock.now() + 7 * day);
    home.clock.advance(minute);
    expect(await remove(ann, ann.web(), `@${ann.handle.toUpperCase()}`)).toEqual(first);
    const asked = (await announced(home, 'deletionAsked')).filter(
      ({ data }) => data.value.person?.id === ann.uuid,
    );
    expect(asked).toMatchObject([{ data: { value: { apps: [app.uuid], deletesAt: first.deletesAt } } }]);
    expect((await factsOf(ann.uuid))?.name).toBe('Ann Smith');
  });

  test('needs a sign-in of the last ten minutes on the home’s pages, and none of a guest', async () => {
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
    home.around.sharing.add(`${eve.uuid} ${ann.uuid}`);
    expect(await failure(remove(ann, eve.web()))).toBe('forbidden no_permission');
    expect(await failure(remove(child, app.actingFor(child.uuid)))).toBe('forbidden no_permission');
  });

  test('wants the handle said', async () => {
    expect(await failure(remove(ann, ann.web(), 'somebody-else'))).toBe('bad_request bad_field');
    expect(await failure(remove(ann, ann.web(), ''))).toBe('bad_request bad_field');
  });

  test('twice at once is one', async () => {
    const [one, two] = await Promise.all([remove(ann, ann.web()), remove(ann, app.caller)]);
    expect(one).toEqual(two);
  });
});

describe('keep_account', () => {
  test('takes it back while the seven days last, and is nothing otherwise', async () => {
    expect((await keep(ann, app.caller)).id).toBe(ann.id);
    await remove(ann, ann.web());
    home.clock.advance(7 * day - 1);
    expect((await keep(ann, webCaller(ann.uuid))).id).toBe(ann.id);
    await keep(ann, webCaller(ann.uuid));
    const back = (await announced(home, 'deletionTakenBack')).filter(
      ({ data }) => data.value.person?.id === ann.uuid,
    );
    expect(back.length).toBe(1);
    home.clock.advance(day);
    await runJob();
    expect(await factsOf(ann.uuid)).toBeDefined();
  });

  test('comes too late once the time has come', async () => {
    await remove(ann, ann.web());
    home.clock.advance(7 * day);
    expect(await failure(keep(ann, app.caller))).toBe('bad_request not_waiting');
    await runJob();
    expect(await failure(keep(ann, app.caller))).toBe('not_found not_found');
  });
});

describe('once the seven days are over', () => {
  test('nothing is left that says who it was, and nobody gets the handle', async () => {
    await furnish(ann.uuid);
    await remove(ann, ann.web());
    await runJob();
    expect(await factsOf(ann.uuid)).toBeDefined();
    home.clock.advance(7 * day);
    await runJob();
    expect(failed).toEqual([]);

    expect(await factsOf(ann.uuid)).toBeUndefined();
    expect(await failure(home.client.getPerson({ id: ann.id }, { caller: app.caller }))).toBe(
      'not_found not_found',
    );
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
    expect(await failure(home.client.createPerson(again, { caller: app.caller }))).toBe(
      'bad_request bad_field',
    );
    for (const signal of [`people ${ann.uuid}`, `credentials ${ann.uuid}`]) await heard(home, signal);
  });

  test('it is announced with what follows, for every app concerned, which is to confirm it', async () => {
    const group = home.ids.uuid();
    const ended = home.ids.uuid();
    const second = await newPerson(home, app, { name: 'Dee', birthYearMonth: '2019-05', guardian: ann.id });
    home.clock.advance(1);
    await home.client.setGuardian({ id: second.id, guardian: bob.id, second: true }, { caller: app.caller });
    await home.client.updatePerson({ id: child.id, aiShare: true }, { caller: ann.web() });
    home.around.drops.set(ann.uuid, {
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

    expect((await factsOf(child.uuid))?.guardians).toEqual([]);
    expect((await factsOf(child.uuid))?.aiShare).toBe(false);
    expect((await factsOf(second.uuid))?.guardians).toEqual([bob.uuid]);
    const changes = (await announced(home, 'personChanged')).map(({ data }) => data.value);
    expect(changes.filter(({ person }) => person?.id === child.uuid).at(-1)!.changed).toEqual([
      'guardian',
      'ai_share',
    ]);
    await heard(home, `people ${child.uuid}`);
  });

  test('AIs are switched off, but one that was claimed by link within the last day goes back', async () => {
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
    const revoked = (await announced(home, 'aiRevoked')).map(({ data }) => data.value);
    expect(revoked).toEqual(
      expect.arrayContaining([expect.objectContaining({ ai: made, owner: ann.uuid, apps: [app.uuid] })]),
    );
    const released = (await announced(home, 'aiUnclaimed')).map(({ data }) => data.value);
    expect(released).toContainEqual(expect.objectContaining({ owner: ann.uuid, why: 'released' }));
    await heard(home, `credentials ${made}`);
  });

  test('of a child the guardianship ends with the account', async () => {
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

  /** Runs the work of a transaction so that it fails. */
  function failingCommit(
    run: (tx: UnitOfWork, work: (tx: UnitOfWork) => Promise<unknown>) => Promise<never>,
  ): PeopleContext['commit'] {
    return Object.assign(
      (work: (tx: UnitOfWork) => Promise<unknown>) => context.commit((tx) => run(tx, work)),
      { statement: context.commit.statement },
    ) as PeopleContext['commit'];
  }

  test.each(steps)('killed when %s, leaves all or nothing, and finishes when it runs again', async (step) => {
    await furnish(ann.uuid);
    home.around.drops.set(ann.uuid, { archived: [], organizers: [], apps: [otherApp.uuid] });
    await remove(ann, ann.web());
    home.clock.advance(7 * day);
    await deleteAccounts(failingAt(step), { error: (...told: unknown[]) => failed.push(told) });
    expect(failed.length).toBe(1);
    expect(await factsOf(ann.uuid)).toBeDefined();
    expect((await factsOf(child.uuid))?.guardians).toEqual([ann.uuid]);
    expect(await count('sessions', 'person', ann.uuid)).toBe(1);
    expect(await deletionsOf(ann.uuid)).toEqual([]);

    await runJob();
    await runJob();
    expect(failed.length).toBe(1);
    expect(await factsOf(ann.uuid)).toBeUndefined();
    expect((await factsOf(child.uuid))?.guardians).toEqual([]);
    expect((await deletionsOf(ann.uuid)).map(({ data }) => data.value.apps.toSorted())).toEqual([
      [app.uuid, otherApp.uuid].toSorted(),
    ]);
  });

  test('two at once do it once', async () => {
    await remove(ann, ann.web());
    home.clock.advance(7 * day);
    await Promise.all([runJob(), runJob(), runJob()]);
    expect(failed).toEqual([]);
    expect((await deletionsOf(ann.uuid)).length).toBe(1);
  });

  test('one that cannot be done holds up no other', async () => {
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
    expect(await factsOf(ann.uuid)).toBeDefined();
    expect(await factsOf(bob.uuid)).toBeUndefined();
    await runJob();
    expect(await factsOf(ann.uuid)).toBeUndefined();
  });

  test('a child whose two guardians go at once ends up held, whichever goes first', async () => {
    home.clock.advance(1);
    await home.client.setGuardian({ id: child.id, guardian: bob.id, second: true }, { caller: app.caller });
    await remove(ann, ann.web());
    await remove(bob, bob.web());
    home.clock.advance(7 * day);
    await Promise.all([runJob(), runJob()]);
    expect(failed).toEqual([]);
    expect((await factsOf(child.uuid))?.guardians).toEqual([]);
    const handovers = (await announced(home, 'accountDeleted'))
      .flatMap(({ data }) => data.value.handovers)
      .filter((handover) => handover.child === child.uuid);
    expect(handovers.length).toBe(2);
    expect(handovers.map(({ guardian }) => guardian)).toContain('');
  });
});
