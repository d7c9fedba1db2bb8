import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  advance,
  atMoment,
  type InviteProgress,
  type InviteStatus,
  type InviteTrigger,
  isOpen,
  useOf,
} from './invite-state.ts';

const statuses: InviteStatus[] = ['waiting', 'approved', 'declined', 'used'];
const triggers: InviteTrigger[] = [
  ...(['asked', 'organizer_said', 'guardian_said', 'joined', 'joined_otherwise'] as const),
  ...(['declined', 'withdrawn', 'revoked', 'expired', 'full', 'cannot_join'] as const),
];

function invite(more: Partial<InviteProgress> = {}): InviteProgress {
  return { reusable: false, status: 'waiting', why: null, uses: 0, max_uses: 1, ...more };
}

/** Every step that there is, as completion of the interface has it; what is not here cannot happen. */
const steps: Record<'one-time' | 'reusable', Record<string, InviteStatus>> = {
  'one-time': {
    'waiting asked': 'waiting',
    'waiting organizer_said': 'approved',
    'waiting guardian_said': 'waiting',
    'waiting joined': 'used',
    'waiting joined_otherwise': 'used',
    'waiting declined': 'declined',
    'waiting withdrawn': 'declined',
    'waiting revoked': 'declined',
    'waiting expired': 'declined',
    'waiting full': 'declined',
    'waiting cannot_join': 'declined',
    'approved joined': 'used',
    'approved joined_otherwise': 'used',
    'approved declined': 'declined',
    'approved withdrawn': 'declined',
    'approved revoked': 'declined',
    'approved expired': 'declined',
    'approved full': 'declined',
    'approved cannot_join': 'declined',
  },
  reusable: {
    'waiting asked': 'waiting',
    'waiting organizer_said': 'waiting',
    'waiting guardian_said': 'waiting',
    'waiting joined': 'waiting',
    'waiting joined_otherwise': 'waiting',
    'waiting declined': 'waiting',
    'waiting withdrawn': 'waiting',
    'waiting revoked': 'declined',
    'waiting expired': 'declined',
    'waiting full': 'waiting',
    'waiting cannot_join': 'waiting',
  },
};

const cases = (['one-time', 'reusable'] as const).flatMap((kind) =>
  statuses.flatMap((status) => triggers.map((trigger) => [kind, status, trigger] as const)),
);

describe('a transition', () => {
  test.each(cases)('of a %s invite that is %s and is %s', (kind, status, trigger) => {
    const before = invite({ reusable: kind === 'reusable', status, max_uses: kind === 'reusable' ? 9 : 1 });
    const after = advance(before, trigger);
    expect(after?.status).toBe(steps[kind][`${status} ${trigger}`]);
    if (after !== null) {
      expect(after.why).toBe(after.status === 'declined' ? trigger : null);
      expect(after.uses).toBe(trigger === 'joined' ? 1 : 0);
    }
  });
});

describe('any sequence of events', () => {
  const run = fc.record({
    reusable: fc.boolean(),
    most: fc.integer({ min: 1, max: 5 }),
    happens: fc.array(fc.constantFrom(...triggers), { maxLength: 40 }),
  });

  test('counts exactly the members who joined as uses, never exceeds the limit, and never leaves the end state', () => {
    fc.assert(
      fc.property(run, ({ reusable, most, happens }) => {
        let now = invite({ reusable, max_uses: reusable ? most : 1 });
        let joined = 0;
        let ended = false;
        for (const trigger of happens) {
          const next = advance(now, trigger);
          if (ended) expect(next).toBeNull();
          if (next === null) continue;
          joined += trigger === 'joined' ? 1 : 0;
          ended = next.status === 'declined' || next.status === 'used';
          expect(next.uses).toBe(joined);
          expect(next.uses).toBeLessThanOrEqual(next.max_uses);
          expect(next.why === null).toBe(next.status !== 'declined');
          expect([next.reusable, next.max_uses]).toEqual([now.reusable, now.max_uses]);
          if (reusable) expect(['waiting', 'declined']).toContain(next.status);
          now = next;
        }
        if (!reusable) expect(joined).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('leaves the invite usable exactly when its status is ok', () => {
    fc.assert(
      fc.property(run, fc.integer({ min: 0, max: 5 }), ({ reusable, most, happens }, waiting) => {
        const start: InviteProgress | null = invite({ reusable, max_uses: reusable ? most : 1 });
        const now = happens.reduce<InviteProgress>((at, trigger) => advance(at, trigger) ?? at, start);
        const free = now.max_uses - now.uses - waiting > 0;
        const open = now.status === 'waiting' || now.status === 'approved';
        expect(useOf(now, waiting) === 'ok').toBe(open && free);
        if (useOf(now, waiting) === 'ok') expect(advance(now, 'joined')).not.toBeNull();
      }),
    );
  });
});

describe('the status of an invite', () => {
  test.each([
    ['ok', {}, 0],
    ['used', {}, 1],
    ['used', { status: 'used', uses: 1 }, 0],
    ['used', { status: 'declined', why: 'declined' }, 0],
    ['used', { status: 'declined', why: 'withdrawn' }, 0],
    ['revoked', { status: 'declined', why: 'revoked' }, 0],
    ['expired', { status: 'declined', why: 'expired' }, 0],
    ['full', { status: 'declined', why: 'full' }, 0],
    ['used', { status: 'declined', why: 'cannot_join' }, 0],
    ['ok', { reusable: true, uses: 3, max_uses: 5 }, 1],
    ['full', { reusable: true, uses: 3, max_uses: 5 }, 2],
    ['full', { reusable: true, uses: 5, max_uses: 5 }, 0],
    ['revoked', { reusable: true, uses: 5, max_uses: 5, status: 'declined', why: 'revoked' }, 0],
  ] as const)('is %s for %j with %i waiting', (use, state, waiting) => {
    expect(useOf(invite(state), waiting)).toBe(use);
  });

  test('expires exactly at its time, without a job', () => {
    const expires_at = new Date(1_000);
    for (const reusable of [false, true]) {
      const stored = { ...invite({ reusable }), expires_at };
      expect([isOpen(stored, 999), isOpen(stored, 1_000)]).toEqual([true, false]);
      expect(atMoment(stored, 999)).toBe(stored);
      expect(atMoment(stored, 1_000)).toMatchObject({ status: 'declined', why: 'expired' });
    }
    const used = { ...invite({ status: 'used', uses: 1 }), expires_at };
    expect(atMoment(used, 2_000)).toMatchObject({ status: 'used', why: null });
  });
});
