import { timestampDate } from '@bufbuild/protobuf/wkt';
import { day } from '@hearth/clock';
import { sql } from '@hearth/db';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { aiOf, type HeldPerson, newApp, newPerson, webCaller } from './people.ts';
import { addGroup } from './persons.ts';
import { failure, startIdentity } from './start-identity.ts';

let ann: HeldPerson;
let bob: HeldPerson;
let child: HeldPerson;
let teen: HeldPerson;

const home = await startIdentity();
const { by } = home;
const app = await newApp(home);
const otherApp = await newApp(home);
afterAll(() => home.stop());
beforeEach(async () => {
  ann = await newPerson(home, app, { name: 'Ann Smith' });
  bob = await newPerson(home, app, { name: 'Bob Smith' });
  child = await newPerson(home, app, { name: 'Cy Smith', birthYearMonth: '2018-05', guardian: ann.id });
  home.clock.advance(1);
  teen = await newPerson(home, app, { name: 'Tim Smith', birthYearMonth: '2011-05', guardian: ann.id });
});

type Caller = ReturnType<typeof webCaller>;
const account = (caller: Caller) => by(caller).getAccount({});
const children = async (caller: Caller) => (await by(caller).listChildren({})).children;
const get = (id: string, caller: Caller) => by(caller).getPerson({ id });

describe('a person’s own account', () => {
  test('shows who they are, who holds them, and when the handle can change again', async () => {
    const before = await account(ann.web());
    expect(before).toMatchObject({
      facts: { id: ann.uuid, handle: ann.handle, timeZone: 'Europe/Zurich', app: app.uuid },
      appName: 'App',
      guardians: [],
    });
    expect(before.handleChangesFrom).toBeUndefined();
    const handle = `new-${ann.uuid.slice(-8)}`;
    await by(ann.web()).updatePerson({ id: 'me', handle });
    const after = await account(ann.web());
    expect(after.facts!.handle).toBe(handle);
    expect(timestampDate(after.handleChangesFrom!)).toEqual(new Date(home.clock.now() + 30 * day));
    home.clock.advance(30 * day);
    expect((await account(ann.web())).handleChangesFrom).toBeUndefined();
  });

  test('shows a teenager their guardians, and pending ends of guardianship', async () => {
    expect((await account(teen.web())).guardians).toMatchObject([
      { guardian: { id: ann.id, name: 'Ann Smith' }, childSaidEnd: false, guardianSaidEnd: false },
    ]);
    await by(ann.web()).endGuardian({ id: teen.id });
    expect((await account(teen.web())).guardians).toMatchObject([
      { childSaidEnd: false, guardianSaidEnd: true },
    ]);
  });

  test('is shown to the person only', async () => {
    for (const caller of [app.caller, aiOf(ann.uuid)])
      expect(await failure(account(caller))).toBe('forbidden no_permission');
    expect(await failure(account(webCaller(home.ids.uuid())))).toBe('not_found not_found');
  });
});

describe('the children of a guardian', () => {
  test('are listed with the month of their next age band', async () => {
    expect(await children(ann.web())).toMatchObject([
      {
        facts: { id: child.uuid },
        person: { id: child.id, shielded: false, ageBand: AgeBand.CHILD },
        nextBand: { ageBand: AgeBand.TEEN13, month: '2031-06' },
        guardians: [{ guardian: { id: ann.id } }],
        appName: 'App',
      },
      { facts: { id: teen.uuid }, nextBand: { ageBand: AgeBand.TEEN16, month: '2027-06' } },
    ]);
    expect(await children(bob.web())).toEqual([]);
    expect(await children(teen.web())).toEqual([]);
  });

  test('have no such month without a known birth month', async () => {
    const unknown = await newPerson(home, app, {
      ageBand: AgeBand.TEEN13,
      birthYearMonth: undefined,
      guardian: bob.id,
    });
    const [found] = await children(bob.web());
    expect([found!.person!.id, found!.nextBand]).toEqual([unknown.id, undefined]);
  });

  test('are listed for both guardians, with pending ends', async () => {
    home.clock.advance(1);
    await by(ann.web()).setGuardian({ id: teen.id, guardian: bob.id, second: true });
    await by(bob.web()).endGuardian({ id: teen.id });
    for (const guardian of [ann, bob]) {
      const found = (await children(guardian.web())).find(({ person }) => person!.id === teen.id)!;
      expect(found.guardians).toMatchObject([
        { guardian: { id: ann.id }, guardianSaidEnd: false },
        { guardian: { id: bob.id }, guardianSaidEnd: true },
      ]);
    }
  });

  test('are no longer listed once they are 18', async () => {
    const birthYearMonth = '2008-06';
    const almost = await newPerson(home, app, { birthYearMonth, guardian: bob.id });
    expect(await children(bob.web())).toMatchObject([{ nextBand: { month: '2026-07' } }]);
    await home.run(sql`update identity.people set age_band = 'adult' where id = ${almost.uuid}`);
    expect(await children(bob.web())).toEqual([]);
  });

  test('are listed for a person only', async () => {
    for (const caller of [app.caller, aiOf(ann.uuid)])
      expect(await failure(children(caller))).toBe('forbidden no_permission');
  });
});

describe('a pending deletion', () => {
  test('is shown to the person, a guardian and the app that holds them, until it is cancelled', async () => {
    await by(teen.web({ authenticatedAt: home.clock.now() })).deleteAccount({
      id: teen.id,
      confirm: teen.handle,
    });
    const at = new Date(home.clock.now() + 7 * day);
    for (const caller of [teen.web(), ann.web(), app.caller, app.actingFor(ann.uuid)])
      expect(timestampDate((await get(teen.id, caller)).deletesAt!)).toEqual(at);
    expect(timestampDate((await account(teen.web())).facts!.deletesAt!)).toEqual(at);
    const told = (await children(ann.web())).map(({ person }) => person!.deletesAt !== undefined);
    expect(told).toEqual([false, true]);
    const kept = await by(ann.web()).keepAccount({ id: teen.id });
    expect([kept.deletesAt, (await get(teen.id, teen.web())).deletesAt]).toEqual([undefined, undefined]);
  });

  test('is hidden from everyone else who sees them', async () => {
    await by(app).deleteAccount({ id: bob.id, confirm: bob.handle });
    const elsewhere = await newPerson(home, otherApp);
    addGroup(home, [elsewhere, bob]);
    for (const caller of [elsewhere.web(), aiOf(bob.uuid)])
      expect((await get(bob.id, caller)).deletesAt).toBeUndefined();
  });
});
