import { createLocalBus } from '@hearth/bus';
import { createFactCache } from '@hearth/cache/facts';
import { hour, manualClock, minute, second } from '@hearth/clock';
import { expect, test } from '@jest/globals';
import { createClockWatch } from './watch-clock.ts';

test('a clock set back clears entries kept until a time, and is logged', async () => {
  const clock = manualClock('2027-03-01T12:00:00Z');
  const steady = manualClock(new Date(0));
  const told: [number, string][] = [];
  const log = {
    warn: (details: object, words?: string) =>
      void told.push([(details as { seconds: number }).seconds, words ?? '']),
  };
  const watch = createClockWatch(clock, log as never, steady.now);
  const bus = watch.over(createLocalBus({ log: { debug() {}, info() {}, warn() {}, error() {} } }));
  const facts = createFactCache<string>({ clock, max: 10, keptMs: minute, bus });
  facts.keeper()('ada', 'adult');
  const pass = async (milliseconds: number, set = 0) => {
    steady.advance(milliseconds);
    clock.advance(milliseconds + set);
    await watch.look();
  };

  await pass(5 * second, 300);
  await pass(5 * second, -300);
  expect([told, facts.get('ada')]).toEqual([[], 'adult']);
  await pass(5 * second, -hour);
  expect(facts.get('ada')).toBeUndefined();
  await pass(5 * second, 2 * hour);
  await pass(5 * second);
  expect(told).toEqual([
    [-3_600, expect.stringContaining('set back')],
    [7_200, expect.stringContaining('set forward')],
  ]);
  await facts.stop();
  await bus.close();
});
