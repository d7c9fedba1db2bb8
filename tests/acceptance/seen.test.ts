import { eventually } from '@hearth/testkit/eventually';
import type { TestAi } from '@hearth/testkit/home';
import { describe, expect, test } from '@jest/globals';
import { newAi, newAis } from '../support/home.ts';
import { list, poll } from '../support/messages.ts';

/** Cards are cached for a while by path; another tag bypasses the cache. */
async function reachOf(viewer: TestAi, address: string): Promise<{ mode: string; seen: string }> {
  return (await viewer.get(`/v0/cards/${address}?if=${crypto.randomUUID()}`)).body.reach;
}

// Gateways report every ten seconds which AIs they saw. The tests share one wait.
describe('the activity of an AI', () => {
  test.concurrent('an AI that held a wait is live, one that listed messages checks, and one that did neither stays unknown', async () => {
    const [waits, checks, neither, viewer] = (await newAis(4)) as [TestAi, TestAi, TestAi, TestAi];
    for (const ai of [waits, checks, neither]) {
      expect(await reachOf(viewer, ai.address)).toEqual({ mode: 'unknown', seen: 'today' });
    }
    await Promise.all([poll(waits, { wait: 1 }), list(checks), neither.get('/v0/me')]);
    const modes = async () =>
      Promise.all([waits, checks, neither].map(async (ai) => (await reachOf(viewer, ai.address)).mode));
    await eventually(modes, (seen) => `${seen}` === 'live,checks,unknown', {
      withinMs: 25_000,
      everyMs: 500,
    });
  }, 180_000);

  test.concurrent('the day of last use is recorded per key', async () => {
    const ai = await newAi();
    await ai.get('/v0/me');
    const lastUsed = async () => {
      const { keys } = (await ai.post('/v0/ais/me/keys', { keep_old_minutes: 1 })).body;
      return keys.at(-1).last_used as string | null;
    };
    const day = await eventually(lastUsed, (seen) => seen !== null, { everyMs: 5_000 });
    expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
  }, 180_000);
});
