import { timestampMs } from '@bufbuild/protobuf/wkt';
import { type SignedUp, sha256, signUpAi } from '@hearth/identity/testing/ais';
import { aiCaller, failure, operator } from '@hearth/identity/testing/start-identity';
import { AiStatus, Via } from '@hearth/proto/common/v1/caller';
import { KeyRotationReason } from '@hearth/proto/identity/v1/identity';
import { CallerKind, Scope } from '@hearth/proto/options';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startWithProfile } from './start-with-profile.ts';

/** The uuids whose credentials were signalled as changed. */
const signalled: string[] = [];
const home = await startWithProfile();
const { by } = home;
home.bus.onSignal('credentials', (payload) => signalled.push(Buffer.from(payload).toString()));
afterAll(() => home.stop());

const resolve = (key: string) => home.client.resolveCredential({ hash: sha256(key) });
const works = async (key: string) => (await resolve(key)).caller !== undefined;
const rotate = (
  ai: SignedUp,
  request: { id?: string; reason?: KeyRotationReason; keepOldMinutes?: number } = {},
) => {
  // Keys are listed by creation time, which stands still unless advanced.
  home.clock.advance(1);
  return by(ai).rotateAiKey({ id: 'me', ...request });
};

/** Signals travel separately, and may arrive a little after the call's answer. */
const signalsHeard = () => new Promise((resolve) => setTimeout(resolve, 20));

const minute = 60_000;

describe('a credential', () => {
  test('resolves to its AI', async () => {
    const ai = await signUpAi(home);
    expect(await resolve(ai.key)).toMatchObject({
      caller: {
        kind: CallerKind.AI,
        id: ai.uuid,
        address: ai.address,
        name: 'Robin',
        aiStatus: AiStatus.UNCLAIMED,
        scopes: [Scope.READ, Scope.MESSAGE],
        person: '',
        via: Via.API,
      },
      refusal: '',
      endsAt: 0n,
    });
  });

  test('that is malformed or unknown resolves to nothing', async () => {
    for (const hash of [sha256('hearth_ai_guess'), new Uint8Array(), Buffer.alloc(31)]) {
      const answer = await home.client.resolveCredential({ hash });
      expect(answer).toMatchObject({ refusal: '' });
      expect(answer.caller).toBeUndefined();
    }
  });

  test('among many concurrent ones resolves to its own AI', async () => {
    const ais = await Promise.all(Array.from({ length: 8 }, (_, index) => signUpAi(home, `Robin ${index}`)));
    const keys = Array.from({ length: 400 }, (_, index) =>
      index % 5 === 0 ? `guess ${index}` : ais[index % 8]!.key,
    );
    const answers = await Promise.all(keys.map(resolve));
    answers.forEach((answer, index) => {
      expect(answer.caller?.id).toBe(index % 5 === 0 ? undefined : ais[index % 8]!.uuid);
    });
  });
});

describe('rotation', () => {
  test('keeps the former key valid for an hour', async () => {
    const ai = await signUpAi(home);
    const { connectorKey, keys } = await rotate(ai);
    expect(connectorKey).toMatch(/^hearth_ai_[0-9A-Za-z]{43}$/);
    expect(keys.map(({ prefix }) => prefix)).toEqual([connectorKey.slice(0, 14), ai.key.slice(0, 14)]);
    expect(keys[0]!.endsAt).toBeUndefined();
    expect(timestampMs(keys[1]!.endsAt!)).toBe(home.clock.now() + 60 * minute);
    expect(await works(connectorKey)).toBe(true);
    expect((await resolve(ai.key)).endsAt).toBe(BigInt(home.clock.now() + 60 * minute));
    await signalsHeard();
    expect(signalled).toContain(ai.uuid);
    home.clock.advance(60 * minute - 1);
    expect(await works(ai.key)).toBe(true);
    home.clock.advance(1);
    expect((await resolve(ai.key)).refusal).toBe('key_revoked');
    expect(await works(connectorKey)).toBe(true);
  });

  test('after a leak revokes every former key at once', async () => {
    const ai = await signUpAi(home);
    const second = await rotate(ai, { keepOldMinutes: 1_440 });
    await signalsHeard();
    signalled.length = 0;
    const third = await rotate(ai, { reason: KeyRotationReason.LEAKED });
    expect(await resolve(ai.key)).toMatchObject({ refusal: 'key_revoked' });
    expect(await works(second.connectorKey)).toBe(false);
    expect(await works(third.connectorKey)).toBe(true);
    await signalsHeard();
    expect(signalled).toEqual([ai.uuid]);
  });

  test('never extends the life of a key', async () => {
    const ai = await signUpAi(home);
    await rotate(ai, { keepOldMinutes: 5 });
    await rotate(ai, { keepOldMinutes: 1_440 });
    home.clock.advance(5 * minute);
    expect(await works(ai.key)).toBe(false);
  });

  test('keeps at most ten keys valid, even concurrently', async () => {
    const ai = await signUpAi(home);
    const outcomes = await Promise.all(Array.from({ length: 15 }, () => failure(rotate(ai))));
    expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(9);
    expect(outcomes.filter((outcome) => outcome === 'bad_request cap_reached')).toHaveLength(6);
    const { keys } = await rotate(ai, { keepOldMinutes: 0 });
    expect(keys.filter(({ endsAt }) => endsAt === undefined)).toHaveLength(1);
  });

  test('by another AI looks like a missing AI', async () => {
    const ai = await signUpAi(home);
    const other = await signUpAi(home);
    expect(await failure(rotate(ai, { id: ai.id }))).toBe('none');
    for (const id of [other.id, 'ai_00000000000000000000000000000000', 'nobody', other.address, '']) {
      expect(await failure(rotate(ai, { id }))).toBe('not_found not_found');
    }
    expect(await works(other.key)).toBe(true);
  });
});

describe('switching an AI off', () => {
  test('by itself ends its keys, its card and its profile at once', async () => {
    const ai = await signUpAi(home);
    const second = await rotate(ai);
    await signalsHeard();
    signalled.length = 0;
    const answer = await by(ai).revokeAi({ id: 'me', reason: ' done\nhere ' });
    expect(answer).toMatchObject({ id: ai.id, revoked: true });
    await signalsHeard();
    expect(signalled).toEqual([ai.uuid]);
    for (const key of [ai.key, second.connectorKey]) expect((await resolve(key)).refusal).toBe('key_revoked');
    expect(await failure(by(operator).getCard({ address: ai.address }))).toBe('not_found not_found');
    const { results } = await home.fromMessages.findProfiles({ addresses: [ai.address] });
    expect(results[0]!.profile).toBeUndefined();
    const row = await home.database.db.one<{ reason: string }>({
      text: 'select revoke_reason as reason from identity.ais where id = $1',
      values: [ai.uuid],
    });
    expect(row.reason).toBe('done here');
  });

  test('by the operator is idempotent and announced once', async () => {
    const ai = await signUpAi(home);
    const revoke = () => by(operator).revokeAi({ id: ai.id, reason: 'spam' });
    const answers = await Promise.all([revoke(), revoke(), revoke()]);
    home.clock.advance(minute);
    answers.push(await revoke());
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    const announced = await home.database.db.query({
      text: "select 1 from identity.outbox where type = 'ai_revoked' and position(convert_to($1, 'utf8') in event) > 0",
      values: [ai.uuid],
    });
    expect(announced).toHaveLength(1);
    expect(await failure(by(operator).revokeAi({ id: 'ai_x' }))).toBe('not_found not_found');
  });

  test('stops a call in progress with its key', async () => {
    const ai = await signUpAi(home);
    await by(ai).revokeAi({ id: 'me' });
    const calls = [
      by(ai).whoami({}),
      by(ai).describeMe({ text: 'x' }),
      by(ai).setAway({}),
      rotate(ai),
      by(aiCaller('01900000-0000-7000-8000-000000000000')).whoami({}),
    ];
    const failures = await Promise.all(calls.map(failure));
    expect(new Set(failures)).toEqual(new Set(['unauthenticated key_revoked']));
  });

  test('wins over a concurrent rotation', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ai = await signUpAi(home);
      const [, rotated] = await Promise.all([by(ai).revokeAi({ id: 'me' }), rotate(ai).catch(() => null)]);
      expect(await works(ai.key)).toBe(false);
      if (rotated !== null) expect(await works(rotated.connectorKey)).toBe(false);
    }
  });
});
