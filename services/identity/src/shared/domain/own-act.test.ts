import { Proof } from '@hearth/proto/common/v1/caller';
import { CallerKind } from '@hearth/proto/options';
import { describe, expect, test } from '@jest/globals';
import {
  type Owner,
  ownAct,
  requireFreshProof,
  requireMayClaim,
  requireMayOwn,
  requireMaySettle,
  requireMayVouch,
} from './own-act.ts';
import { raisesToApprove, readPermissions } from './permissions.ts';

const now = Date.UTC(2026, 2, 1);
const session = {
  kind: CallerKind.PERSON,
  id: 'ann',
  app: '',
  proof: Proof.EMAIL,
  authenticatedAt: BigInt(now),
};

describe('a person’s own act', () => {
  test.each([
    [CallerKind.AI, 'needs_person'],
    [CallerKind.ANONYMOUS, 'needs_person'],
    [CallerKind.OPERATOR, 'needs_person'],
    [CallerKind.APP, 'bad_field'],
  ])('is not possible for the caller kind %s', (kind, code) => {
    expect(() => ownAct({ kind, id: 'x' })).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ code }) }),
    );
  });

  test('is possible for a session, or an app that acts for a person', () => {
    expect(ownAct(session)).toBe('ann');
  });
});

describe('a fresh proof', () => {
  const old = BigInt(now - 600_001);
  test.each([
    ['a sign-in of ten minutes ago', { authenticatedAt: BigInt(now - 600_000) }, true],
    ['one of before', { authenticatedAt: old }, false],
    ['none', { authenticatedAt: 0n }, false],
    ['a passkey of before', { authenticatedAt: old, proof: Proof.PASSKEY }, false],
    ['the tap in an app', { authenticatedAt: 0n, proof: Proof.TAP, app: 'app' }, true],
    ['an app by itself', { kind: CallerKind.APP, app: 'app' }, false],
    ['an AI through an app', { kind: CallerKind.AI, app: 'app' }, false],
  ])('%s counts: %s', (_, change, expected) => {
    const ask = () => requireFreshProof({ ...session, ...change }, now);
    if (expected) ask();
    else expect(ask).toThrow(/sign in again/);
  });
});

describe('managing AIs', () => {
  const adult: Owner = { id: 'ann', minor: false, guest: false, aiShare: false, guardians: [], app: null };
  const child: Owner = { ...adult, id: 'kid', minor: true, aiShare: true, guardians: ['ann'], app: 'app' };
  const as = (id: string, app = '') => ({ id, app });

  test('is possible for an adult, a guardian, and the app that holds the child', () => {
    requireMayOwn(as('ann'), adult);
    requireMayOwn(as('ann'), child);
    requireMayOwn(as('kid', 'app'), child);
  });

  test('is refused to the child, another app, and everyone while AIs may not act for the child', () => {
    expect(() => requireMayOwn(as('kid'), child)).toThrow(/guardian/);
    expect(() => requireMayOwn(as('kid', 'other'), child)).toThrow(/guardian/);
    expect(() => requireMayOwn(as('ann'), { ...child, aiShare: false })).toThrow(/ai_share/);
    for (const app of ['', 'app'])
      expect(() => requireMayOwn(as('kid', app), { ...child, aiShare: false, guardians: [] })).toThrow(
        'this person has no guardian',
      );
  });

  test('permissions of a child’s AIs are set by the guardian, even while they may not act', () => {
    const quiet: Owner = { ...child, aiShare: false };
    requireMaySettle(as('ann'), quiet);
    requireMaySettle(as('kid', 'app'), child);
    requireMaySettle(as('ann'), adult);
    expect(() => requireMaySettle(as('kid'), child)).toThrow(/guardian/);
  });

  test('a guest needs a sign-in, unless an app answers for them', () => {
    const guest = { ...adult, guest: true };
    expect(() => requireMayOwn(as('ann'), guest)).toThrow(/passkey/);
    requireMayOwn(as('ann', 'app'), guest);
    expect(() => requireMayVouch(as('ann'), guest)).toThrow(/passkey/);
    requireMayVouch(as('ann', 'app'), guest);
    expect(() => requireMayVouch(as('kid', 'app'), child)).toThrow(/under 18/);
  });

  test('an AI is claimed by an adult for themselves, and by a guardian for a child who may use AIs', () => {
    requireMayClaim(as('ann'), adult);
    requireMayClaim(as('ann'), child);
    expect(() => requireMayClaim(as('kid', 'app'), child)).toThrow('with the child as `for`');
    expect(() => requireMayClaim(as('ann'), { ...child, aiShare: false })).toThrow(/ai_share/);
  });
});

describe('permissions', () => {
  test('are unique and ordered, with a default when none are given', () => {
    expect(readPermissions([])).toEqual(['read', 'message']);
    expect(readPermissions(['approve', 'read', 'approve'])).toEqual(['read', 'approve']);
    expect(() => readPermissions(['read', 'fly'])).toThrow(/permissions/);
  });

  test('are raised to approving only from permissions without it', () => {
    expect(raisesToApprove(['read'], ['read', 'approve'])).toBe(true);
    expect(raisesToApprove(['approve'], ['approve'])).toBe(false);
    expect(raisesToApprove(['approve'], ['read'])).toBe(false);
  });
});
