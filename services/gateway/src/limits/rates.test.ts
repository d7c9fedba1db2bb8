import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { createMemoryCache } from '@hearth/cache';
import { systemClock } from '@hearth/clock';
import { isHearthError } from '@hearth/errors';
import { createLimiter, readLimits } from '@hearth/limits';
import { CallerSchema } from '@hearth/proto/common/v1/caller';
import { CallerKind, RateClass } from '@hearth/proto/options';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Exchange } from '../http/module.ts';
import { createRates } from './rates.ts';

type CallerInit = MessageInitShape<typeof CallerSchema>;

const cache = createMemoryCache({ clock: systemClock, maxEntries: 1_000 });
afterEach(() => cache.close());

function ratesOf(setting: Record<string, unknown> = {}) {
  const limits = readLimits(setting, { homeName: 'home.example' });
  const limiter = createLimiter({ limits, cache, clock: systemClock, prefix: '' });
  const rates = createRates({ limiter, limits, clock: systemClock });
  /** How many of this many requests are let through. */
  return async (rate: RateClass, times: number, caller: CallerInit): Promise<number> => {
    let through = 0;
    for (let turn = 0; turn < times; turn += 1) {
      try {
        await rates.spend(rate, create(CallerSchema, caller), {} as Exchange);
        through += 1;
      } catch (error) {
        if (!isHearthError(error) || error.kind !== 'rate_limited') throw error;
      }
    }
    return through;
  };
}

const anyone = (network: string): CallerInit => ({ kind: CallerKind.ANONYMOUS, network });

describe('lookups of invites', () => {
  test('end for a network that guesses ten thousand codes, but not for others', async () => {
    const spend = ratesOf();
    expect(await spend(RateClass.PEEK, 10_000, anyone('198.51.100.0/24'))).toBe(20);
    expect(await spend(RateClass.PEEK, 1, anyone('203.0.113.0/24'))).toBe(1);
    const ann = { kind: CallerKind.PERSON, id: 'ann', network: '198.51.100.0/24' };
    expect(await spend(RateClass.PEEK, 1, ann)).toBe(1);
    // Reading has a limit of its own.
    expect(await spend(RateClass.READ, 1, anyone('198.51.100.0/24'))).toBe(1);
  });

  test('count for each caller and network, and for each person that an app acts for', async () => {
    const spend = ratesOf({ peeks_a_minute: 2 });
    const acting = (id: string, network: string) => ({ kind: CallerKind.PERSON, id, app: 'app', network });
    expect(await spend(RateClass.PEEK, 3, acting('ann', 'a'))).toBe(2);
    expect(await spend(RateClass.PEEK, 3, acting('bob', 'a'))).toBe(2);
    expect(await spend(RateClass.PEEK, 3, acting('ann', 'b'))).toBe(2);
  });
});

test('a body counts as one more read for each 4 KiB, in any request', async () => {
  const limits = readLimits({}, { homeName: 'home.example' });
  const limiter = createLimiter({ limits, cache, clock: systemClock, prefix: 'bodies' });
  const rates = createRates({ limiter, limits, clock: systemClock });
  const caller = create(CallerSchema, anyone('192.0.2.0/24'));
  const send = (bytes: number) => rates.spendBody(caller, {} as Exchange, bytes);
  await send(4_095);
  for (let times = 0; times < 3; times += 1) await send(131_072);
  // Three records of the maximum length: 96 of 120.
  await send(24 * 4_096);
  await expect(send(4_096)).rejects.toMatchObject({ kind: 'rate_limited' });
  await send(4_095);
});

describe('an app', () => {
  test('has its own bounds, shared by everyone it acts for', async () => {
    const spend = ratesOf({ writes_a_minute: { app: 5, claimed: 1, unclaimed: 1 } });
    const through = [
      await spend(RateClass.WRITE, 2, { kind: CallerKind.APP, id: 'app', app: 'app' }),
      await spend(RateClass.WRITE, 2, { kind: CallerKind.PERSON, id: 'ann', app: 'app' }),
      await spend(RateClass.WRITE, 2, { kind: CallerKind.AI, id: 'robin', app: 'app' }),
    ];
    expect(through).toEqual([2, 2, 1]);
    expect(await spend(RateClass.WRITE, 2, { kind: CallerKind.PERSON, id: 'ann' })).toBe(1);
  });
});

test('sign-ups count by network for any caller; the operator is not counted', async () => {
  const spend = ratesOf({ sign_ups_an_hour: 2, reads_a_minute: 0 });
  expect(await spend(RateClass.SIGN_UP, 1, anyone('a'))).toBe(1);
  expect(await spend(RateClass.SIGN_UP, 2, { kind: CallerKind.AI, id: 'robin', network: 'a' })).toBe(1);
  expect(await spend(RateClass.READ, 3, { kind: CallerKind.OPERATOR })).toBe(3);
});
