import {
  exchange,
  homeA,
  kept,
  later,
  must,
  mustKeepAll,
  signUp,
  sleep,
  underTraffic,
  urlOf,
} from '../support.ts';

/** Restarts and then kills each part of the data; service recovers within half a minute. */
export async function data(): Promise<void> {
  const url = urlOf(homeA);
  const [from, to] = [await signUp(url, 'Robin'), await signUp(url, 'Kim')];
  const took: Record<string, number> = {};
  const found = await underTraffic('data', async (step) => {
    for (const part of ['nats', 'redis', 'postgres'])
      for (const [how, ...flags] of [['restart'], ['kill', '--force', '--grace-period=0']])
        await step(`${how} ${part}`, async () => {
          const name = `${homeA.release}-hearth-${part}`;
          const other = exchange(url, from, to);
          await later('kubectl', ['-n', homeA.release, 'delete', 'pod', `${name}-0`, ...flags]);
          const until = ['rollout', 'status', `statefulset/${name}`, '--timeout=120s'];
          await later('kubectl', ['-n', homeA.release, ...until]);
          await sleep(5_000);
          took[`${how} ${part}`] = Math.max(...(await other.end()).map(({ milliseconds }) => milliseconds));
        });
  });
  kept('data-exchanges', { slowest_ms: took });
  console.log(`  slowest exchanges: ${JSON.stringify(took)}`);
  mustKeepAll(found);
  must('each exchange is through within 30 s', Math.max(...Object.values(took)) <= 30_000, took);
}
