import { sql } from '@hearth/db';
import { type EventInit, eventually } from '@hearth/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { partWithAis } from '../src/ais/actions/part-with-ais.ts';
import { createClaimLinks } from '../src/shared/actions/claim-links.ts';
import { sha256, signUpAi } from './ais.ts';
import { addPerson, newUuid } from './persons.ts';
import { siteUrl, startIdentity } from './start-identity.ts';

const home = await startIdentity();
const { by } = home;
afterAll(() => home.stop());

const stateOf = async (ai: string) =>
  await home.database.db.one<{ status: string; owner: string | null; revoked: boolean }>(
    sql`select status, owner, revoked_at is not null as revoked from identity.ais where id = ${ai}`,
  );

describe('when an account ends', () => {
  test('AIs claimed by link within a day are released, others switched off, vouches withdrawn', async () => {
    const person = await addPerson(home);
    const other = await addPerson(home);
    const old = await signUpAi(home, 'Old');
    await by(person).claimAi({ token: old.claimLink });
    home.clock.advance(86_400_000);
    const young = await signUpAi(home, 'Young');
    await by(person).claimAi({ token: young.claimLink });
    const made = await by(person).createAi({ name: 'Made' });
    const [alone, shared] = [await signUpAi(home, 'Alone'), await signUpAi(home, 'Shared')];
    for (const ai of [alone, shared]) await by(person).vouchAi({ id: ai.id });
    await by(other).vouchAi({ id: shared.id });

    const tools = { clock: home.clock, claimLinks: createClaimLinks(home.sealer, siteUrl) };
    const ais: string[] = [];
    await home.host('identity').commit((tx) => {
      const noted = { ...tx, signal: (_: string, ...ids: string[]) => void ais.push(...ids) };
      return partWithAis(tools, noted, person.uuid, { apps: ['app'] });
    });
    const [row] = await home.database.db.query<{ id: string }>(
      sql`select id from identity.ais where address = ${made.ai!.address}`,
    );
    expect(new Set(ais)).toEqual(new Set([old.uuid, young.uuid, row!.id, alone.uuid, shared.uuid]));
    expect(await stateOf(old.uuid)).toMatchObject({ revoked: true });
    expect(await stateOf(row!.id)).toMatchObject({ revoked: true });
    expect(await stateOf(young.uuid)).toEqual({ status: 'unclaimed', owner: null, revoked: false });
    expect(await stateOf(alone.uuid)).toMatchObject({ status: 'unclaimed' });
    expect(await stateOf(shared.uuid)).toMatchObject({ status: 'vouched' });
    const { caller } = await home.client.resolveCredential({ hash: sha256(young.key) });
    expect(caller).toMatchObject({ id: young.uuid, address: young.address, person: '' });
    expect((await home.announced('aiUnclaimed')).map(({ data }) => data.value)).toMatchObject([
      { ai: { id: young.uuid }, owner: person.uuid, why: 'released', apps: ['app'] },
    ]);
    expect(await home.announced('aiRevoked')).toHaveLength(2);
  });
});

describe('when an account deletion is requested', () => {
  test('an AI claimed by link just before is released at once, whether or not the account is kept', async () => {
    const person = await addPerson(home);
    const young = await signUpAi(home, 'Quick');
    await by(person).claimAi({ token: young.claimLink });
    const made = await by(person).createAi({ name: 'Kept' });
    await by(person).deleteAccount({ id: 'me', confirm: person.handle });
    expect(await stateOf(young.uuid)).toEqual({ status: 'unclaimed', owner: null, revoked: false });
    const { caller } = await home.client.resolveCredential({ hash: sha256(young.key) });
    expect(caller).toMatchObject({ id: young.uuid, address: young.address, person: '' });
    expect((await home.announced('aiUnclaimed')).at(-1)!.data.value).toMatchObject({
      ai: { id: young.uuid },
      why: 'released',
    });
    await by(person).keepAccount({ id: 'me' });
    expect(await stateOf(young.uuid)).toMatchObject({ status: 'unclaimed' });
    expect((await by(person).listAis({})).ais.map(({ ai }) => ai!.address)).toEqual([made.ai!.address]);
  });
});

describe('the AI of a group follows the group', () => {
  const group = { id: newUuid(), handle: 'walkers', name: 'Walkers', app: '' };
  const groupAi = newUuid();

  const happens = (data: EventInit) => home.publish(data);
  const until = (check: () => Promise<boolean>) => eventually(check);

  const named = async () =>
    (await home.fromGroups.findAis({ ids: [groupAi] })).results[0]!.facts?.name ?? null;

  test('is created, renamed and ended with it, idempotently', async () => {
    const created = { case: 'groupCreated', value: { group, groupAi } } as const;
    await happens(created);
    await until(async () => (await named()) === 'Walkers (group AI)');
    await happens(created);
    const rename = (name: string) =>
      happens({ case: 'groupUpdated', value: { group: { ...group, name }, changed: ['name'] } });
    await rename('Hikers');
    await until(async () => (await named()) === 'Hikers (group AI)');
    // A late event with an earlier name.
    home.clock.advance(-1);
    await rename('Strollers');
    home.clock.advance(2);
    await rename('Climbers');
    await until(async () => (await named()) === 'Climbers (group AI)');
    const renamed = (await home.announced('aiChanged')).map(({ data }) => data.value as { ai: string });
    expect(renamed.filter(({ ai }) => ai === groupAi)).toHaveLength(2);
    for (let times = 0; times < 2; times += 1) await happens({ case: 'groupDeleted', value: { group } });
    await until(async () => (await stateOf(groupAi)).revoked);
    // Events are consumed in order, so earlier events have been consumed by then.
    const later = newUuid();
    await happens({
      case: 'groupCreated',
      value: { group: { ...group, id: newUuid(), handle: 'later' }, groupAi: later },
    });
    await until(
      async () => (await home.fromGroups.findAis({ ids: [later] })).results[0]!.facts !== undefined,
    );
    const ended = (await home.announced('aiRevoked')).filter(
      ({ data }) => (data.value as { ai: string }).ai === groupAi,
    );
    expect(ended).toHaveLength(1);
    expect(ended[0]!.by).toBeUndefined();
  });
});
