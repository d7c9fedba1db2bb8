import { type Found, must, mustKeepAll, underTraffic } from '../support.ts';
import { restart } from './steps.ts';

/** Replaces a gateway under 1,000 held polls. */
export async function holders(): Promise<void> {
  const found = await underTraffic(
    'holders',
    async (step) => {
      await step('restart gateway', () => restart('gateway'));
    },
    { holders: 1_000 },
  );
  const { wake_ms: wake, slowest_ms: slowest } = found as Found & Record<string, Record<string, number>>;
  console.log(`  wake ${JSON.stringify(wake)}, slowest ${JSON.stringify(slowest)}`);
  mustKeepAll(found);
  must('no request fails', found.errors === 0, found);
  must('each poll is answered within 5 s of its own wait', (slowest?.['poll'] ?? Infinity) <= 5_000, slowest);
  must('99 of 100 are woken within 500 ms', (wake?.['p99'] ?? Infinity) < 500, wake);
}
