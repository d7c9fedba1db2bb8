import { day } from '@hearth/clock';
import { sql } from '@hearth/db';
import { parseId } from '@hearth/ids';
import { LinkStatus } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sha256 } from './ais.ts';
import { aiOf, type HeldPerson, heard, newApp, newPerson, type TestApp, webCaller } from './people.ts';
import { ownedAi } from './persons.ts';
import { failure, startIdentity } from './start-identity.ts';

let newOne: TestApp;
let ann: HeldPerson;
let child: HeldPerson;

const home = await startIdentity();
const { by } = home;
const oldApp = await newApp(home);
afterAll(() => home.stop());
beforeEach(async () => {
  newOne = await newApp(home);
  ann = await newPerson(home, oldApp, { name: 'Ann Smith', externalId: home.ids.token(10) });
  child = await newPerson(home, oldApp, { name: 'Cy', birthYearMonth: '2018-05', guardian: ann.id });
});

type Caller = ReturnType<typeof webCaller>;
const ask = (id: string, caller: Caller = newOne.caller) => by(caller).linkPerson({ id });
const answer = (accept: boolean, caller: Caller, person?: string) =>
  by(caller).answerLink({ app: newOne.uuid, accept, ...(person !== undefined && { person }) });
const list = async (caller: Caller) => (await by(caller).listLinks({})).links;
const appOf = async (uuid: string) =>
  (await home.fromGroups.findPeople({ ids: [uuid] })).results[0]!.facts!.app;

async function mailsTo(email: string): Promise<string[]> {
  const due = (await home.announced('sendDue')).map(({ data }) => data.value);
  const { sends } = await home.fromDelivery.prepareSends({
    sends: due.map(({ kind, id }) => ({ kind, id })),
  });
  return sends.flatMap(({ content }) =>
    content.case === 'mail' && content.value.to === email ? [content.value.subject] : [],
  );
}

describe('the hold of an app', () => {
  const leave = (who: HeldPerson, caller: Caller = who.web()) => by(caller).endAppHold({ id: who.id });

  test('is ended by the person, who is notified, and the app loses access at once', async () => {
    const email = `${ann.handle}@leaving.example`;
    await home.run(sql`update identity.people set email = ${email} where id = ${ann.uuid}`);
    const stale = ann.web({ authenticatedAt: home.clock.now() - 10 * 60_000 - 1 });
    expect(await failure(leave(ann, stale))).toBe('forbidden needs_person');
    expect(await failure(leave(ann, oldApp.actingFor(ann.uuid)))).toBe('forbidden needs_person');
    expect((await leave(ann)).app).toBeUndefined();
    expect(await appOf(ann.uuid)).toBe('');
    await leave(ann);
    expect(await mailsTo(email)).toEqual([expect.stringContaining('no longer manages')]);
    const changes = (await home.announced('personChanged')).map(({ data }) => data.value);
    expect(changes.findLast(({ person }) => person?.id === ann.uuid)).toMatchObject({
      changed: ['app'],
      apps: [oldApp.uuid],
    });
  });

  test('ends with the keys that it created for AIs, and no others', async () => {
    const works = async (key: string | undefined) =>
      (await home.client.resolveCredential({ hash: sha256(key!) })).caller !== undefined;
    const made = async (caller: Caller) => await by(caller).createAi({ name: 'Helper' });
    const [byApp, own] = [await made(oldApp.actingFor(ann.uuid)), await made(ann.web())];
    const { id } = own.ai!;
    const rotate = async (caller: Caller) =>
      (await by(caller).rotateAiKey({ id, keepOldMinutes: 60 })).connectorKey;
    const throughPerson = await rotate(oldApp.actingFor(ann.uuid));
    const throughAi = await rotate(ownedAi(parseId('ai', id)!, ann.uuid, { app: oldApp.uuid }));
    // The app calls with the key that it had requested.
    const { caller } = await home.client.resolveCredential({ hash: sha256(throughAi) });
    const byItsKey = await rotate(caller as Caller);
    const onTheirOwn = await rotate(ann.web());
    const keys = [byApp.connectorKey, throughPerson, throughAi, byItsKey, own.connectorKey, onTheirOwn];
    for (const key of keys) expect(await works(key)).toBe(true);
    await leave(ann);
    const left = await Promise.all(keys.map(works));
    expect(left).toEqual([false, false, false, false, true, true]);
  });

  test('on a child is ended by the guardian only', async () => {
    expect(await failure(leave(child, child.web()))).toBe('forbidden no_permission');
    const stranger = await newPerson(home, newOne, { name: 'Eve' });
    expect(await failure(leave(child, stranger.web()))).toBe('not_found not_found');
    await leave(child, ann.web());
    expect(await appOf(child.uuid)).toBe('');
  });
});

describe('an app that requests to hold a person', () => {
  test('waits until the person accepts by themselves, and both apps are notified', async () => {
    const waiting = { status: LinkStatus.WAITING, url: 'https://hearth.example/me' };
    expect(await ask(ann.id)).toMatchObject(waiting);
    expect(await ask(`@${ann.handle}`)).toMatchObject(waiting);
    expect(await ask(`${ann.handle}@hearth.example`)).toMatchObject(waiting);
    expect(await list(ann.web())).toMatchObject([{ app: newOne.uuid, name: 'App', person: { id: ann.id } }]);
    expect(await appOf(ann.uuid)).toBe(oldApp.uuid);

    await answer(true, ann.web());
    await answer(true, ann.web());
    expect(await appOf(ann.uuid)).toBe(newOne.uuid);
    expect(await list(ann.web())).toEqual([]);
    expect(await ask(ann.id)).toMatchObject({ status: LinkStatus.LINKED, person: { id: ann.id } });
    const moved = (await home.announced('personChanged'))
      .map(({ data }) => data.value)
      .filter(({ person }) => person?.id === ann.uuid);
    expect(moved).toMatchObject([{ changed: ['app'] }]);
    expect(moved[0]!.apps.toSorted()).toEqual([oldApp.uuid, newOne.uuid].toSorted());
    for (const subject of ['people', 'credentials'] as const) await heard(home, subject, ann.uuid);
    // The old app's own id for the person is not passed on.
    const row = await home.database.db.one(
      sql`select external_id from identity.people where id = ${ann.uuid}`,
    );
    expect(row).toEqual({ external_id: null });
  });

  test('is accepted after a fresh sign-in only, and the person is notified by mail', async () => {
    await home.run(
      sql`update identity.people set email = ${`${ann.handle}@x.example`} where id = ${ann.uuid}`,
    );
    await ask(ann.id);
    const stale = ann.web({ authenticatedAt: home.clock.now() - 10 * 60_000 - 1 });
    expect(await failure(answer(true, stale))).toBe('forbidden needs_person');
    expect(await failure(answer(true, ann.web({ authenticatedAt: 0, guest: true })))).toBe(
      'forbidden needs_person',
    );
    await answer(true, ann.web());
    expect(await mailsTo(`${ann.handle}@x.example`)).toEqual([
      expect.stringContaining('now manages your account'),
    ]);
  });

  test('sees a refusal for 30 days, and may ask again then', async () => {
    await ask(ann.id);
    await answer(false, ann.web());
    expect(await ask(ann.id)).toMatchObject({ status: LinkStatus.DECLINED });
    expect((await ask(ann.id)).url).toBeUndefined();
    expect(await failure(answer(true, ann.web()))).toBe('bad_request already_settled');
    expect(await appOf(ann.uuid)).toBe(oldApp.uuid);
    home.clock.advance(30 * day);
    expect(await ask(ann.id)).toMatchObject({ status: LinkStatus.WAITING });
    expect((await list(ann.web())).length).toBe(1);
  });

  test('asks again after the person left', async () => {
    await ask(ann.id);
    await answer(true, ann.web());
    await by(oldApp).linkPerson({ id: ann.id });
    await by(ann.web()).answerLink({ app: oldApp.uuid, accept: true });
    expect(await appOf(ann.uuid)).toBe(oldApp.uuid);
    expect(await ask(ann.id)).toMatchObject({ status: LinkStatus.WAITING });
  });

  test('finds no children by their own ids, and no unknown people', async () => {
    for (const id of [child.id, `@${child.handle}`, '@nobody-here', 'x', 'me']) {
      expect(await failure(ask(id))).toBe('not_found not_found');
    }
    expect(await failure(ask(ann.id, ann.web()))).toBe('forbidden no_permission');
    expect(await failure(ask(ann.id, aiOf(ann.uuid)))).toBe('forbidden no_permission');
  });

  test('is answered only by the person, and only while it asks', async () => {
    const eve = await newPerson(home, oldApp, { name: 'Eve' });
    expect(await failure(answer(true, ann.web()))).toBe('not_found not_found');
    await ask(ann.id);
    expect(await failure(answer(true, eve.web(), ann.uuid))).toBe('not_found not_found');
    expect(await failure(answer(true, oldApp.caller, ann.uuid))).toBe('forbidden no_permission');
    expect(await failure(answer(true, newOne.caller, ann.uuid))).toBe('forbidden no_permission');
    expect(await failure(by(newOne).listLinks({}))).toBe('forbidden no_permission');
    expect(await list(eve.web())).toEqual([]);
    expect(await appOf(ann.uuid)).toBe(oldApp.uuid);
  });

  test('accepting and declining concurrently: one of them counts', async () => {
    await ask(ann.id);
    const results = await Promise.all([failure(answer(true, ann.web())), failure(answer(false, ann.web()))]);
    expect(results.toSorted()).toEqual(['bad_request already_settled', 'none']);
  });
});

describe('for a person under 18', () => {
  /** Uses the id under which the app knows the child, from a group or an event. */
  const askFor = (person: string, app = newOne) => ask(home.shieldedFor(app.uuid, person), app.caller);

  test('the guardian answers', async () => {
    await askFor(child.uuid);
    expect(await failure(answer(true, webCaller(child.uuid)))).toBe('forbidden guardian_needed');
    expect(await list(webCaller(child.uuid))).toEqual([]);
    expect(await list(ann.web())).toMatchObject([{ person: { id: child.id, name: 'Cy' } }]);
    await answer(true, ann.web(), child.uuid);
    expect(await appOf(child.uuid)).toBe(newOne.uuid);
  });

  test('a teenager without a guardian answers alone', async () => {
    const teen = await newPerson(home, oldApp, { birthYearMonth: '2009-01' });
    await askFor(teen.uuid);
    expect((await list(teen.web())).length).toBe(1);
    await answer(true, teen.web());
    expect(await appOf(teen.uuid)).toBe(newOne.uuid);
  });

  test('the app needs permission to hold them, when it asks and when it is answered', async () => {
    const strict = await newApp(home, { minors: false });
    expect(await failure(askFor(child.uuid, strict))).toBe('forbidden minors_not_allowed');
    await askFor(child.uuid);
    await home.run(sql`update identity.apps set minors = false where id = ${newOne.uuid}`);
    expect(await failure(answer(true, ann.web(), child.uuid))).toBe('forbidden minors_not_allowed');
    expect(await appOf(child.uuid)).toBe(oldApp.uuid);
  });

  test('another app’s id of the child is unknown', async () => {
    expect(await failure(ask(home.shieldedFor(oldApp.uuid, child.uuid)))).toBe('not_found not_found');
    expect(await failure(ask(home.shieldedFor(newOne.uuid, ann.uuid)))).toBe('not_found not_found');
  });

  test('a child without a guardian has nobody to answer', async () => {
    await home.run(sql`delete from identity.guardianships where child = ${child.uuid}`);
    expect(await failure(askFor(child.uuid))).toBe('bad_request guardian_needed');
  });
});

test('a switched-off app cannot be accepted', async () => {
  await ask(ann.id);
  await home.run(sql`update identity.apps set revoked_at = now() where id = ${newOne.uuid}`);
  expect(await list(ann.web())).toEqual([]);
  expect(await failure(answer(true, ann.web()))).toBe('bad_request not_waiting');
  expect(ann.person.ageBand).toBe(AgeBand.ADULT);
});
