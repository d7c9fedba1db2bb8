import { type SignedUp, sha256, signUpAi } from '@hearth/identity/testing/ais';
import { addApp, addPerson, ownedAi, type TestPerson, throughApp } from '@hearth/identity/testing/persons';
import { failure } from '@hearth/identity/testing/start-identity';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { Scope } from '@hearth/proto/options';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { startWithProfile } from './start-with-profile.ts';

const home = await startWithProfile({ env: { HEARTH_LIMITS: '{"claims_a_day": {"claimed": 100000}}' } });
const { by } = home;
afterAll(() => home.stop());

const vouch = (person: TestPerson, ai: { id: string }, more: object = {}) =>
  by(person).vouchAi({ id: ai.id, ...more });
const unvouch = (person: TestPerson, ai: { id: string }) => by(person).unvouchAi({ id: ai.id });
const cardOf = async (ai: SignedUp) => await by(ai).getCard({ address: ai.address });

describe('vouching', () => {
  test('makes an AI without an owner vouched, and its card names public vouchers', async () => {
    const app = await addApp(home);
    const [one, two, secret] = [await addPerson(home, { app }), await addPerson(home), await addPerson(home)];
    const ai = await signUpAi(home);
    expect(await vouch(one, ai, { note: 'met at work' })).toMatchObject({ status: AiStatus.VOUCHED });
    expect((await home.announced('aiClaimed')).at(-1)).toMatchObject({
      data: { value: { status: 'vouched', person: one.uuid, byLink: false, apps: [app], ai: { owner: '' } } },
      by: { id: one.uuid },
    });
    home.clock.advance(1_000);
    await vouch(secret, ai, { private: true });
    await by(two).vouchAi({ id: ai.address });
    expect(await cardOf(ai)).toMatchObject({
      status: AiStatus.VOUCHED,
      nameVerified: false,
      vouchedBy: [`@${one.handle}`, `@${two.handle}`],
    });
    const { caller } = await home.client.resolveCredential({ hash: sha256(ai.key) });
    expect(caller!.aiStatus).toBe(AiStatus.VOUCHED);
    const changes = await home.announced('aiChanged');
    expect(changes.map(({ by, data }) => [by?.id, data.value])).toMatchObject([
      // An anonymous voucher is not named to anyone.
      [undefined, { ai: ai.uuid, changed: ['vouched_by'] }],
      [two.uuid, { ai: ai.uuid, changed: ['vouched_by'] }],
    ]);
  });

  test('ends when the last voucher withdraws', async () => {
    const [one, two] = [await addPerson(home), await addPerson(home)];
    const ai = await signUpAi(home);
    await vouch(one, ai);
    await vouch(two, ai);
    expect((await unvouch(one, ai)).status).toBe(AiStatus.VOUCHED);
    expect((await unvouch(one, ai)).status).toBe(AiStatus.VOUCHED);
    expect((await unvouch(two, ai)).status).toBe(AiStatus.UNCLAIMED);
    expect((await home.announced('aiUnvouched')).at(-1)).toMatchObject({
      data: { value: { ai: { id: ai.uuid }, person: two.uuid } },
    });
    expect((await cardOf(ai)).vouchedBy).toEqual([]);
  });

  test('is limited to adults with a sign-in, for AIs without an owner', async () => {
    const person = await addPerson(home);
    const ai = await signUpAi(home);
    const child = await addPerson(home, { ageBand: 'teen13', guardian: person });
    expect(await failure(vouch(child, ai))).toBe('forbidden guardian_needed');
    expect(await failure(vouch(await addPerson(home, { guest: true }), ai))).toBe('forbidden no_permission');
    expect(await failure(by(ai).vouchAi({ id: ai.id }))).toBe('forbidden needs_person');
    const { ai: own } = await by(person).createAi({ name: 'Own' });
    expect(await failure(vouch(person, own!))).toMatch(/^bad_request/);
    await by(ai).revokeAi({ id: 'me' });
    expect(await failure(vouch(person, ai))).toBe('not_found not_found');
    expect(await failure(vouch(person, { id: '@free-zzzzzz.ai-nobody' }))).toBe('not_found not_found');
  });

  test('is limited to five AIs, even concurrently; a claimed or deleted AI frees its slot', async () => {
    const person = await addPerson(home);
    const ais = await Promise.all(Array.from({ length: 9 }, (_, index) => signUpAi(home, `N${index}`)));
    const outcomes = await Promise.all(ais.map((ai) => failure(vouch(person, ai))));
    expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome === 'bad_request cap_reached')).toHaveLength(4);
    const vouched = ais.filter((_, index) => outcomes[index] === 'none');
    const left = ais.filter((_, index) => outcomes[index] !== 'none');
    // Repeating a vouch does not count again.
    expect(await failure(vouch(person, vouched[0]!, { note: 'still' }))).toBe('none');
    await by(person).claimAi({ token: vouched[0]!.claimLink });
    await by(vouched[1]!.caller).revokeAi({ id: 'me' });
    expect(await failure(vouch(person, left[0]!))).toBe('none');
    expect(await failure(vouch(person, left[1]!))).toBe('none');
    expect(await failure(vouch(person, left[2]!))).toBe('bad_request cap_reached');
  });

  test('is possible through the app that holds the person', async () => {
    const person = await addPerson(home, { app: await addApp(home) });
    const ai = await signUpAi(home);
    const answer = await by(throughApp(person)).vouchAi({ id: ai.id });
    expect(answer.status).toBe(AiStatus.VOUCHED);
  });
});

/** An AI's transitions, checked against its state table. */
describe('the states of an AI', () => {
  type Step =
    | { kind: 'vouch' | 'unvouch' | 'claim'; who: number }
    | { kind: 'undo' | 'revoke' | 'renew' }
    | { kind: 'wait'; hours: number };

  interface Model {
    status: 'unclaimed' | 'vouched' | 'claimed';
    owner: number | null;
    vouchers: Set<number>;
    claimedAt: number;
    revoked: boolean;
  }

  /** Applies the step to the model; false if it is refused. */
  function apply(model: Model, step: Step, now: number): boolean {
    const { revoked, status } = model;
    switch (step.kind) {
      case 'wait':
        return true;
      case 'revoke':
        model.revoked = true;
        model.vouchers.clear();
        return true;
      case 'renew':
        return !revoked && status !== 'claimed';
      case 'vouch':
        if (revoked || status === 'claimed') return false;
        model.vouchers.add(step.who);
        model.status = 'vouched';
        return true;
      case 'unvouch':
        if (revoked) return false;
        model.vouchers.delete(step.who);
        if (status === 'vouched' && model.vouchers.size === 0) model.status = 'unclaimed';
        return true;
      case 'claim':
        // A won claim can be repeated.
        if (status === 'claimed') return model.owner === step.who;
        if (revoked) return false;
        Object.assign(model, { status: 'claimed', owner: step.who, claimedAt: now });
        model.vouchers.clear();
        return true;
      case 'undo':
        if (revoked || status !== 'claimed' || now - model.claimedAt >= 24) return false;
        Object.assign(model, { status: 'unclaimed', owner: null });
        return true;
    }
  }

  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({
      kind: fc.constantFrom('vouch' as const, 'unvouch' as const, 'claim' as const),
      who: fc.nat({ max: 2 }),
    }),
    fc.record({ kind: fc.constantFrom('undo' as const, 'undo' as const, 'renew' as const) }),
    fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(1, 12, 24) }),
    { arbitrary: fc.record({ kind: fc.constant('revoke' as const) }), weight: 1 },
  );

  test('follow the table, whatever the order of events', async () => {
    const people = await Promise.all([addPerson(home), addPerson(home), addPerson(home)]);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const ai = await signUpAi(home, 'Model');
        const model: Model = {
          status: 'unclaimed',
          owner: null,
          vouchers: new Set(),
          claimedAt: 0,
          revoked: false,
        };
        let { claimLink } = ai;
        const caller = () => (model.owner === null ? ai.caller : ownedAi(ai.uuid, people[model.owner]!.uuid));
        const take = async (each: Step): Promise<unknown> => {
          switch (each.kind) {
            case 'wait':
              return home.clock.advance(each.hours * 3_600_000);
            case 'vouch':
              return await vouch(people[each.who]!, ai);
            case 'unvouch':
              return await unvouch(people[each.who]!, ai);
            case 'claim':
              return await by(people[each.who]!.caller).claimAi({ token: claimLink });
            case 'undo':
              ({ claimLink } = await by(caller()).notMyPerson({}));
              return;
            case 'renew':
              ({ claimLink } = await by(caller()).renewClaimLink({}));
              return;
            case 'revoke':
              return await by(caller()).revokeAi({ id: ai.id });
          }
        };
        for (const each of steps) {
          // Called as the owner before the step.
          const taking = take(each).then(
            () => true,
            (error: { kind?: string }) => {
              if (error.kind === undefined || error.kind === 'internal') throw error;
              return false;
            },
          );
          const taken = await taking;
          expect([each, taken]).toEqual([each, apply(model, each, home.clock.now() / 3_600_000)]);
          await checkAgainst(model, ai, people);
        }
        // Frees the vouches for the next run.
        for (const person of people) await unvouch(person, ai).catch(() => {});
      }),
      { numRuns: 40 },
    );
  });

  async function checkAgainst(model: Model, ai: SignedUp, people: TestPerson[]): Promise<void> {
    const row = await home.database.db.one<Record<string, unknown>>({
      text: `
        select status, owner, address, revoked_at is not null as revoked, permissions,
          (select count(*) from identity.vouches v where v.ai = a.id) as vouches,
          (select count(*) from identity.addresses d where d.ai = a.id and d.ends_at is null) as leading
        from identity.ais a where a.id = $1`,
      values: [ai.uuid],
    });
    const owner = model.owner === null ? null : people[model.owner]!;
    expect(row).toEqual({
      status: model.status,
      owner: owner?.uuid ?? null,
      address: owner === null ? ai.address : expect.stringContaining(`@${owner.handle}.ai-model`),
      revoked: model.revoked,
      permissions: ['read', 'message'],
      vouches: model.vouchers.size,
      leading: owner === null ? 1 : 2,
    });
  }
});

test('an AI whose last voucher withdraws may be claimed and keeps its permissions', async () => {
  const person = await addPerson(home);
  const ai = await signUpAi(home);
  await vouch(person, ai);
  await unvouch(person, ai);
  const claimed = await by(person).claimAi({ token: ai.claimLink, permissions: [Scope.READ] });
  expect(claimed.permissions).toEqual([Scope.READ]);
});
