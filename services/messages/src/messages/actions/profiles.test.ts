import { create } from '@bufbuild/protobuf';
import { createLocalBus } from '@hearth/bus';
import { type FindProfilesResponse, FindProfilesResponseSchema } from '@hearth/proto/identity/v1/identity';
import type { Call } from '@hearth/rpc';
import { describe, expect, test } from '@jest/globals';
import { createProfiles } from './profiles.ts';

const quiet = () => {};
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const call = {} as Call;

/** A fake identity service that returns an AI for each address and counts the calls. */
function setUp() {
  let now = 0;
  const asked: string[] = [];
  let hold: Promise<void> | undefined;
  const bus = createLocalBus({ log });
  const identity = {
    async findProfiles({ addresses }: { addresses?: string[] }): Promise<FindProfilesResponse> {
      const [address = ''] = addresses ?? [];
      asked.push(address);
      await hold;
      const id = address.toLowerCase();
      return create(FindProfilesResponseSchema, {
        results: [address === '@nobody' ? {} : { profile: { id } }],
      });
    },
  };
  const profiles = createProfiles({ identity: identity as never, bus, clock: { now: () => now } });
  return {
    asked,
    find: (address: string) => profiles.find(address, call),
    async change(id: string) {
      bus.signal('credentials', Buffer.from(id));
      await new Promise((resolve) => setImmediate(resolve));
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    holdAnswers() {
      const { promise, resolve } = Promise.withResolvers<void>();
      hold = promise;
      return resolve;
    },
  };
}

describe('a cached profile', () => {
  test('is fetched once per period and spelling of its address', async () => {
    const { asked, find, pass } = setUp();
    for (const address of ['@a', '@a', '@A', '@A']) await find(address);
    expect(asked).toEqual(['@a', '@A']);
    pass(30_000);
    await find('@a');
    expect(asked).toHaveLength(3);
  });

  test('is not kept for an unknown address', async () => {
    const { asked, find } = setUp();
    expect([await find('@nobody'), await find('@nobody')]).toEqual([null, null]);
    expect(asked).toHaveLength(2);
  });

  test('is fetched again after it changed, under every spelling, and other profiles are not', async () => {
    const { asked, find, change } = setUp();
    for (const address of ['@a', '@A', '@b']) await find(address);
    await change('@a');
    asked.length = 0;
    for (const address of ['@a', '@A', '@b']) await find(address);
    expect(asked).toEqual(['@a', '@A']);
    await change('');
    await find('@b');
    expect(asked).toEqual(['@a', '@A', '@b']);
  });

  test('is not kept when it changed during the fetch', async () => {
    const { asked, find, change, holdAnswers } = setUp();
    const answer = holdAnswers();
    const finding = find('@a');
    await change('@a');
    answer();
    expect(await finding).toMatchObject({ id: '@a' });
    await find('@a');
    expect(asked).toHaveLength(2);
  });
});
