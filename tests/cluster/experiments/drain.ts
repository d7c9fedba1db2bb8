import { nodeName } from '../../../scripts/cluster/settings.ts';
import { run } from '../../../scripts/tools/run.mjs';
import {
  deploymentOf,
  homeA,
  kubectl,
  later,
  must,
  mustKeepAll,
  services,
  underTraffic,
} from '../support.ts';
import { status } from './steps.ts';

/** Drains a node within the disruption budgets, and brings it back. */
export async function drain(): Promise<void> {
  const node = nodeName(2);
  const found = await underTraffic('drain', async (step) => {
    await step('drain', () =>
      later('kubectl', ['drain', node, '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=500s']),
    );
    await step('all ready elsewhere', async () => {
      for (const service of services) await status(service);
    });
    run('kubectl', ['uncordon', node]);
    await step('spread again', async () => {
      for (const service of services) kubectl(homeA, 'rollout', 'restart', deploymentOf(homeA, service));
      for (const service of services) await status(service);
    });
  });
  mustKeepAll(found);
  must('no request fails while a node is drained', found.errors === 0, found);
}
