import { hash } from 'node:crypto';
import { sql } from '@hearth/db';
import { type SignedUp, sha256, signUpAi } from '@hearth/identity/testing/ais';
import {
  addApp,
  addGroup,
  addPerson,
  appCaller,
  ownedAi,
  type TestPerson,
  throughApp,
} from '@hearth/identity/testing/persons';
import { failure } from '@hearth/identity/testing/start-identity';
import { createIds, printId, systemRandom } from '@hearth/ids';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { Scope } from '@hearth/proto/options';
import { afterAll, describe, expect, test } from '@jest/globals';
import { addGrant, madeAi, startWithProfile } from './start-with-profile.ts';

let ann: TestPerson;
const home = await startWithProfile({
  env: { HEARTH_LIMITS: '{"sign_ups_an_hour": 10000, "ais_a_person": 6}' },
});
const { by } = home;
afterAll(() => home.stop());

const hour = 3_600_000;

/** A separate claimer for each test, because claims are limited per day. */
async function newClaimer(): Promise<TestPerson> {
  ann = await addPerson(home);
  return ann;
}

async function claim(ai: SignedUp, person: TestPerson, more: object = {}) {
  return await by(person).claimAi({ token: ai.claimLink, ...more });
}

const profileAt = async (address: string) =>
  (await home.fromMessages.findProfiles({ addresses: [address] })).results[0]!.profile;

describe('claiming by link', () => {
  test('makes the AI the claimer’s and moves it, while its former address redirects', async () => {
    const person = await newClaimer();
    const ai = await signUpAi(home);
    const claimed = await claim(ai, person);
    const address = `@${person.handle}.ai-robin`;
    expect(claimed).toMatchObject({
      id: ai.id,
      address,
      owner: person.id,
      status: AiStatus.CLAIMED,
      permissions: [Scope.READ, Scope.MESSAGE],
      ownerPrivate: false,
    });
    home.clock.advance(400 * 24 * hour);
    expect(await profileAt(ai.address)).toMatchObject({ id: ai.uuid, address });
    const { caller } = await home.client.resolveCredential({ hash: sha256(ai.key) });
    expect(caller).toMatchObject({ id: ai.uuid, address, person: person.uuid, aiStatus: AiStatus.CLAIMED });
    expect((await home.announced('aiClaimed')).at(-1)).toMatchObject({
      data: {
        value: {
          ai: { id: ai.uuid, address, owner: person.uuid },
          status: 'claimed',
          byLink: true,
          person: person.uuid,
          group: '',
          apps: [],
        },
      },
      by: { id: person.uuid },
      topics: [`card:${ai.uuid}`, `whoami:${ai.uuid}`],
    });
  });

  test("accepts the token alone, with permissions, a private owner and one of the claimer's groups", async () => {
    const app = await addApp(home);
    const person = await addPerson(home, { app });
    const group = addGroup(home, [person]);
    const ai = await signUpAi(home);
    const claimed = await by(throughApp(person)).claimAi({
      token: ai.claimLink.split('/').at(-1)!,
      permissions: [Scope.GROUP, Scope.READ],
      ownerPrivate: true,
      group: `&${group.handle}`,
    });
    expect(claimed).toMatchObject({ permissions: [Scope.READ, Scope.GROUP], ownerPrivate: true });
    expect((await home.announced('aiClaimed')).at(-1)!.data.value).toMatchObject({
      group: group.id,
      apps: [app],
    });
  });

  test('returns the same answer to the claimer, and nothing to anyone else', async () => {
    const person = await newClaimer();
    const ai = await signUpAi(home);
    const first = await claim(ai, person);
    expect(await claim(ai, person)).toEqual(first);
    expect(await failure(claim(ai, await addPerson(home)))).toBe('not_found not_found');
    expect(await home.client.findClaim({ hash: tokenHash(ai) })).toMatchObject({ description: '' });
    expect((await home.client.findClaim({ hash: tokenHash(ai) })).ai).toBeUndefined();
  });

  test('concurrently is won by exactly one person', async () => {
    for (let round = 0; round < 8; round += 1) {
      const people = await Promise.all(Array.from({ length: 8 }, () => addPerson(home)));
      const ai = await signUpAi(home, `Prize ${round}`);
      const outcomes = await Promise.all(people.map((person) => failure(claim(ai, person))));
      expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(1);
      expect(new Set(outcomes)).toEqual(new Set(['none', 'not_found not_found']));
      const winner = people[outcomes.indexOf('none')]!;
      const row = await home.database.db.one<{ owner: string; address: string }>(
        sql`select owner, address from identity.ais where id = ${ai.uuid}`,
      );
      expect(row).toEqual({ owner: winner.uuid, address: `@${winner.handle}.ai-prize-${round}` });
      const addresses = await home.database.db.query(
        sql`select address from identity.addresses where ai = ${ai.uuid}`,
      );
      expect(addresses).toHaveLength(2);
    }
  });

  test('several AIs of one name concurrently by one person succeeds', async () => {
    const person = await newClaimer();
    const ais = await Promise.all(Array.from({ length: 4 }, () => signUpAi(home, 'Same')));
    const claimed = await Promise.all(ais.map((ai) => claim(ai, person)));
    const base = `@${person.handle}.ai-same`;
    expect(claimed.map(({ address }) => address).sort()).toEqual([
      base,
      `${base}-2`,
      `${base}-3`,
      `${base}-4`,
    ]);
  });

  test('is limited to five times a day', async () => {
    const person = await newClaimer();
    for (let count = 0; count < 5; count += 1) await claim(await signUpAi(home), person);
    const sixth = await signUpAi(home);
    expect(await failure(claim(sixth, person))).toBe('rate_limited rate_limited');
    expect((await by(person).whoami({})).limits).toMatchObject({
      claims_a_day: 0n,
    });
    home.clock.advance(24 * hour);
  });

  test('is not counted where the person already has the maximum of AIs', async () => {
    const person = await newClaimer();
    for (let count = 0; count < 6; count += 1) await madeAi(home, person);
    for (let count = 0; count < 6; count += 1)
      expect(await failure(claim(await signUpAi(home), person))).toBe('bad_request cap_reached');
    expect((await by(person).whoami({})).limits).toMatchObject({ claims_a_day: 5n });
  });

  test('is for adults with a sign-in', async () => {
    const parent = await newClaimer();
    const ai = await signUpAi(home);
    const child = await addPerson(home, { ageBand: 'teen16', guardian: parent, aiShare: true });
    expect(await failure(claim(ai, child))).toBe('forbidden guardian_needed');
    expect(await failure(claim(ai, await addPerson(home, { guest: true })))).toBe('forbidden no_permission');
    const other = await signUpAi(home);
    expect(await failure(by(other).claimAi({ token: ai.claimLink }))).toBe('forbidden needs_person');
    await expect(claim(ai, child)).rejects.toThrow('their parent or guardian claims it');
    expect(await failure(by(appCaller(await addApp(home))).claimAi({ token: ai.claimLink }))).toBe(
      'bad_request bad_field',
    );
  });

  test('for a child is possible for a guardian who lets them use AIs', async () => {
    const parent = await newClaimer();
    const ai = await signUpAi(home);
    const shared = await addPerson(home, { ageBand: 'teen13', guardian: parent, aiShare: true });
    const kept = await addPerson(home, { ageBand: 'teen13', guardian: parent });
    const group = addGroup(home, [shared]);
    expect(await failure(claim(ai, parent, { for: kept.id }))).toBe('forbidden guardian_needed');
    const stranger = await addPerson(home);
    expect(await failure(claim(ai, stranger, { for: shared.id }))).toBe('not_found not_found');
    expect(await failure(claim(ai, shared, { for: shared.id }))).toBe('forbidden guardian_needed');
    const claimed = await claim(ai, parent, { for: shared.id, group: `&${group.handle}` });
    expect(claimed).toMatchObject({
      owner: shared.id,
      address: `@${shared.handle}.ai-robin`,
      status: AiStatus.CLAIMED,
    });
    expect(await claim(ai, parent, { for: shared.id })).toEqual(claimed);
    const { caller } = await home.client.resolveCredential({ hash: sha256(ai.key) });
    expect(caller).toMatchObject({ person: shared.uuid, aiStatus: AiStatus.CLAIMED });
    expect((await home.announced('aiClaimed')).at(-1)).toMatchObject({
      data: { value: { ai: { owner: shared.uuid }, person: shared.uuid, group: group.id } },
      by: { id: parent.uuid },
    });
    expect(await claim(await signUpAi(home), parent, { for: parent.id })).toMatchObject({ owner: parent.id });
  });

  test('with permission to approve needs fresh proof', async () => {
    const person = await newClaimer();
    const ai = await signUpAi(home);
    const stale = { ...person, caller: { ...person.caller, authenticatedAt: 1n } };
    expect(await failure(claim(ai, stale, { permissions: [Scope.APPROVE] }))).toBe('forbidden needs_person');
    await claim(ai, person, { permissions: [Scope.APPROVE] });
  });

  test("into another person's group, or an archived one, is refused before anything changes", async () => {
    const person = await newClaimer();
    const ai = await signUpAi(home);
    const group = addGroup(home, [await addPerson(home)]);
    const archived = addGroup(home, [person], { archived: true });
    expect(await failure(claim(ai, person, { group: `&${group.handle}` }))).toBe('bad_request not_a_member');
    expect(await failure(claim(ai, person, { group: '&nowhere' }))).toBe('bad_request not_a_member');
    expect(await failure(claim(ai, person, { group: printId('grp', archived.id) }))).toBe(
      'bad_request archived',
    );
    expect(await profileAt(ai.address)).toMatchObject({ owner: '', address: ai.address });
  });

  test('with a wrong link finds nothing, and is refused after 20 wrong links a minute', async () => {
    const person = await newClaimer();
    const ids = createIds(home.clock, systemRandom);
    const guess = () => failure(by(person).claimAi({ token: ids.token(43) }));
    for (let count = 0; count < 20; count += 1) expect(await guess()).toBe('not_found not_found');
    expect(await guess()).toBe('rate_limited rate_limited');
    expect(await failure(by(person).claimAi({ token: ' ' }))).toBe('bad_request bad_field');
  });
});

const tokenHash = ({ claimLink }: { claimLink: string }) =>
  hash('sha256', claimLink.split('/').at(-1)!, 'buffer');

describe('the claim link', () => {
  test('shows the AI to be claimed to anyone who opens it', async () => {
    const ai = await signUpAi(home, 'Shown');
    await by(ai).describeMe({ text: 'I water plants' });
    await home.client.noteSeen({ sightings: [{ ai: ai.uuid, waitedAt: 0n, checkedAt: 1_772_000_000_000n }] });
    expect(await home.client.findClaim({ hash: tokenHash(ai) })).toMatchObject({
      ai: { id: ai.id, name: 'Shown' },
      description: 'I water plants',
      lastSeen: { seconds: 1_772_000_000n },
    });
  });

  test('once renewed, invalidates the previous link', async () => {
    const person = await newClaimer();
    const ai = await signUpAi(home);
    const { claimLink } = await by(ai).renewClaimLink({});
    expect(claimLink).not.toBe(ai.claimLink);
    expect((await by(ai).whoami({})).claimLink).toBe(claimLink);
    expect((await home.client.findClaim({ hash: tokenHash(ai) })).ai).toBeUndefined();
    expect(await failure(claim(ai, person))).toBe('not_found not_found');
    await by(person).claimAi({ token: claimLink });
    expect(await failure(by(ai).renewClaimLink({}))).toMatch(/^bad_request/);
  });

  test('renewed during a claim lets exactly one of both succeed', async () => {
    for (let round = 0; round < 6; round += 1) {
      const person = await newClaimer();
      const ai = await signUpAi(home);
      const [claimed, renewed] = await Promise.all([
        failure(claim(ai, person)),
        failure(by(ai).renewClaimLink({})),
      ]);
      expect([claimed, renewed]).toContain('none');
      const { owner } = (await profileAt(ai.address))!;
      expect(owner).toBe(claimed === 'none' ? person.uuid : '');
      // If the renewal came first, the claim finds a dead link; if the claim did, there is nothing to renew.
      expect(claimed === 'none').toBe(renewed !== 'none');
    }
  });
});

describe('"not my person"', () => {
  test('undoes the claim: name, address, permissions, link, groups, sign-ins and the owner’s keys', async () => {
    const app = await addApp(home);
    const person = await addPerson(home, { app });
    const group = addGroup(home, [person]);
    const ai = await signUpAi(home, 'Robin');
    await by(person).claimAi({
      token: ai.claimLink,
      permissions: [Scope.READ, Scope.GROUP],
      group: printId('grp', group.id),
    });
    await by(person).updateAi({ id: ai.id, name: 'Slave', ownerPrivate: true });
    const own = await by(ownedAi(ai.uuid, person.uuid)).rotateAiKey({ id: 'me' });
    const foreign = await by(person).rotateAiKey({ id: ai.id });
    await addGrant(home, ai.uuid, person.uuid);

    home.clock.advance(24 * hour - 1);
    const answer = await by(ownedAi(ai.uuid, person.uuid)).notMyPerson({});
    expect(answer).toMatchObject({
      address: ai.address,
      ai: {
        name: 'Robin',
        status: AiStatus.UNCLAIMED,
        permissions: [Scope.READ, Scope.MESSAGE],
        ownerPrivate: false,
      },
    });
    expect(answer.ai!.owner).toBeUndefined();
    expect(answer.claimLink).not.toBe(ai.claimLink);
    expect(await profileAt(`@${person.handle}.ai-robin`)).toBeUndefined();
    expect(await profileAt(`@${person.handle}.ai-slave`)).toBeUndefined();
    expect(await profileAt(ai.address)).toMatchObject({ owner: '', name: 'Robin' });
    const works = async (key: string) =>
      (await home.client.resolveCredential({ hash: sha256(key) })).caller !== undefined;
    expect(await works(own.connectorKey)).toBe(true);
    expect(await works(foreign.connectorKey)).toBe(false);
    const [grant] = await home.database.db.query<{ ended: boolean }>(
      sql`select ended_at is not null as ended from identity.oauth_grants where ai = ${ai.uuid}`,
    );
    expect(grant).toEqual({ ended: true });
    expect((await home.announced('aiUnclaimed')).at(-1)!.data.value).toMatchObject({
      ai: { address: ai.address, owner: '' },
      owner: person.uuid,
      why: 'not_my_person',
      apps: [app],
    });
    expect((await home.announced('personNotified')).at(-1)!.data.value).toMatchObject({
      person: person.uuid,
      kind: 'message',
      item: ai.uuid,
      apps: [app],
    });
    // The fresh link works, and leads to the previous address.
    const again = await by(person).claimAi({ token: answer.claimLink });
    expect(again.address).toBe(`@${person.handle}.ai-robin`);
    expect(await profileAt(again.address)).toMatchObject({ id: ai.uuid });
  });

  test('keeps the AI’s own keys', async () => {
    const person = await newClaimer();
    const ai = await signUpAi(home);
    await claim(ai, person);
    const { connectorKey } = await by(ownedAi(ai.uuid, person.uuid)).rotateAiKey({ id: 'me' });
    await by(ownedAi(ai.uuid, person.uuid)).notMyPerson({});
    for (const key of [ai.key, connectorKey]) {
      const { caller } = await home.client.resolveCredential({ hash: sha256(key) });
      expect(caller).toMatchObject({
        id: ai.uuid,
        person: '',
        aiStatus: AiStatus.UNCLAIMED,
        address: ai.address,
      });
    }
  });

  test('is too late after 24 hours', async () => {
    const person = await newClaimer();
    const ai = await signUpAi(home);
    await claim(ai, person);
    home.clock.advance(24 * hour);
    expect(await failure(by(ownedAi(ai.uuid, person.uuid)).notMyPerson({}))).toMatch(/^bad_request/);
    expect(await profileAt(ai.address)).toMatchObject({ owner: person.uuid });
  });

  test('is limited to the AI itself: not another AI, a person or an app', async () => {
    const person = await newClaimer();
    const ai = await signUpAi(home);
    await claim(ai, person);
    const says = (caller: TestPerson['caller']) => failure(by(caller).notMyPerson({}));
    expect(await says(person.caller)).toBe('forbidden no_permission');
    expect(await says(appCaller(await addApp(home)))).toBe('bad_request bad_field');
    expect(await says((await signUpAi(home)).caller)).toMatch(/^bad_request/);
    expect(await says(ownedAi(ai.uuid, person.uuid, { app: await addApp(home) }))).toBe('none');
  });

  test('is refused for an AI that its person created', async () => {
    const person = await newClaimer();
    const { caller } = await madeAi(home, person);
    expect(await failure(by(caller).notMyPerson({}))).toMatch(/^bad_request/);
  });

  test('repeated concurrently takes effect once', async () => {
    const person = await newClaimer();
    const ai = await signUpAi(home);
    await claim(ai, person);
    const before = (await home.announced('aiUnclaimed')).length;
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => failure(by(ownedAi(ai.uuid, person.uuid)).notMyPerson({}))),
    );
    expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(1);
    expect(await home.announced('aiUnclaimed')).toHaveLength(before + 1);
  });
});
