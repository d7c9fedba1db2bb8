import { create } from '@bufbuild/protobuf';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import { KeyRotationReason } from '@hearth/proto/identity/v1/identity';
import type { Caller } from '@hearth/rpc';
import { afterAll, describe, expect, test } from '@jest/globals';
import { type SignedUp, sha256, signUpAi } from './ais.ts';
import { addApp, addPerson, appCaller, ownedAi, type TestPerson, throughApp } from './persons.ts';
import { failure, operator, startIdentity } from './start-identity.ts';

const home = await startIdentity({ env: { HEARTH_LIMITS: '{"sign_ups_an_hour": 10000}' } });
const { by } = home;
afterAll(() => home.stop());

const day = 86_400_000;

const resolve = async (key: string) => (await home.client.resolveCredential({ hash: sha256(key) })).caller;
const works = async (key: string) => (await resolve(key)) !== undefined;
const rotate = async (id: string, caller: Caller, more: object = {}) =>
  await by(caller).rotateAiKey({ id, ...more });

/** An AI that a person held by an app has just claimed by its link. */
async function claimedAi(): Promise<{ ai: SignedUp; person: TestPerson; app: string }> {
  const app = await addApp(home);
  const person = await addPerson(home, { app });
  const ai = await signUpAi(home);
  await by(person).claimAi({ token: ai.claimLink });
  return { ai, person, app };
}

/** Everyone who can request a key for it, except the AI itself. */
function claimers({ ai, person, app }: Awaited<ReturnType<typeof claimedAi>>): Record<string, Caller> {
  return {
    person: person.caller,
    'person through the app': throughApp(person),
    app: appCaller(app),
    'app that acts as the AI': ownedAi(ai.uuid, person.uuid, { app }),
    'AI with a key that its person made': create(CallerSchema, {
      ...ownedAi(ai.uuid, person.uuid),
      keyMadeBy: person.uuid,
    }),
  };
}

describe('within a day of a claim by link', () => {
  test("rotating a key keeps the AI's own keys, and revokes those that others created", async () => {
    const claimed = await claimedAi();
    const made: string[] = [];
    for (const [who, caller] of Object.entries(claimers(claimed))) {
      const before = made.at(-1);
      const leaked = { reason: KeyRotationReason.LEAKED };
      const { connectorKey } = await rotate(claimed.ai.id, caller, leaked);
      expect([who, await works(claimed.ai.key)]).toEqual([who, true]);
      if (before !== undefined) expect([who, await works(before)]).toEqual([who, false]);
      // It is not the AI's own key: its holder counts only as the owner.
      expect(await resolve(connectorKey)).toMatchObject({
        id: claimed.ai.uuid,
        keyMadeBy: expect.stringMatching(/./),
      });
      made.push(connectorKey);
    }
    expect(await resolve(claimed.ai.key)).toMatchObject({ keyMadeBy: '' });
    await by(ownedAi(claimed.ai.uuid, claimed.person.uuid)).notMyPerson({});
    for (const key of made) expect(await works(key)).toBe(false);
    expect(await works(claimed.ai.key)).toBe(true);
  });

  test('the AI itself ends every key', async () => {
    const { ai, person } = await claimedAi();
    const theirs = await rotate(ai.id, person.caller);
    const own = await rotate('me', ownedAi(ai.uuid, person.uuid), { keepOldMinutes: 0 });
    expect([await works(ai.key), await works(theirs.connectorKey), await works(own.connectorKey)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('only the AI itself and the operator can switch it off, and others see the deadline', async () => {
    const claimed = await claimedAi();
    const { ai, person } = claimed;
    const until = new Date(home.clock.now() + day).toISOString();
    for (const [who, caller] of Object.entries(claimers(claimed))) {
      const revoking = by(caller).revokeAi({ id: ai.id });
      const error = await revoking.catch((thrown: unknown) => thrown as Error & { kind: string });
      expect([who, 'kind' in error && error.kind]).toEqual([who, 'bad_request']);
      expect((error as Error).message).toContain(until);
      expect((error as Error).message).toContain('lower its permissions');
    }
    expect(await works(ai.key)).toBe(true);
    await by(ownedAi(ai.uuid, person.uuid)).revokeAi({ id: 'me' });
    expect(await works(ai.key)).toBe(false);
    const other = await claimedAi();
    await by(operator).revokeAi({ id: other.ai.id });
    expect(await works(other.ai.key)).toBe(false);
  });

  test('when the owner switches it off and the AI denies the claim concurrently, the AI prevails', async () => {
    const { ai, person } = await claimedAi();
    const [switched, said] = await Promise.all([
      failure(by(person).revokeAi({ id: ai.id })),
      failure(by(ownedAi(ai.uuid, person.uuid)).notMyPerson({})),
    ]);
    expect(said).toBe('none');
    expect(switched).not.toBe('none');
    expect(await resolve(ai.key)).toMatchObject({ person: '' });
  });
});

describe('a day after the claim', () => {
  test('a new key revokes the others, and the owner can switch the AI off', async () => {
    const { ai, person } = await claimedAi();
    home.clock.advance(day - 1);
    await rotate(ai.id, person.caller, { keepOldMinutes: 0 });
    expect(await works(ai.key)).toBe(true);
    home.clock.advance(1);
    await rotate(ai.id, person.caller, { keepOldMinutes: 0 });
    expect(await works(ai.key)).toBe(false);
    await by(person).revokeAi({ id: ai.id });
  });

  test('an AI created by its person has no undo window', async () => {
    const person = await addPerson(home);
    const { ai, connectorKey } = await by(person).createAi({ name: 'Made' });
    await rotate(ai!.id, person.caller, { keepOldMinutes: 0 });
    expect(await works(connectorKey!)).toBe(false);
    await by(person).revokeAi({ id: ai!.id });
  });
});
