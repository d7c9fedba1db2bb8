import { nodeName } from '../../../scripts/cluster/settings.ts';
import { run } from '../../../scripts/tools/run.mjs';
import {
  type Exchange,
  exchange,
  homeA,
  kept,
  must,
  mustKeepAll,
  podsOf,
  services,
  signUp,
  sleep,
  underTraffic,
  urlOfPod,
} from '../support.ts';
import { type Resource, status } from './steps.ts';

/**
 * Cuts a node off, as when its machine dies, and restores it after a minute. The other node's gateway answers within
 * five seconds; requests to the Service also hit the lost gateway until Kubernetes notices.
 */
export async function loss(): Promise<void> {
  const stays = podsOf(homeA, 'gateway').find(({ spec }: Resource) => spec.nodeName === nodeName(1));
  must('a gateway is on the node that stays', stays !== undefined);
  const url = urlOfPod(homeA, stays.status.podIP);
  let exchanged: Exchange[] = [];
  const found = await underTraffic('loss', async (step) => {
    const [from, to] = [await signUp(url, 'Robin'), await signUp(url, 'Kim')];
    const other = exchange(url, from, to);
    await step('a node answers nothing for 60 s', async () => {
      run('ip', ['link', 'set', 'link2', 'down']);
      await sleep(60_000);
    });
    exchanged = await other.end();
    await step('it is back', async () => {
      run('ip', ['link', 'set', 'link2', 'up']);
      run('kubectl', ['wait', '--for=condition=Ready', `node/${nodeName(2)}`, '--timeout=120s']);
      for (const service of services) await status(service);
    });
  });
  const slowest = Math.max(...exchanged.map(({ milliseconds }) => milliseconds));
  kept('loss-other-node', { slowest, exchanged });
  console.log(`  by the other node: ${exchanged.length} exchanges, the slowest took ${slowest} ms`);
  mustKeepAll(found);
  must('what comes by the other node is answered within 5 s', slowest <= 5_000, exchanged);
}
