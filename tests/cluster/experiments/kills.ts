import { socketOf } from '../../../scripts/cluster/import-images.ts';
import { run } from '../../../scripts/tools/run.mjs';
import { homeA, kubectl, mustKeepAll, podsOf, services, sleep, underTraffic } from '../support.ts';
import { status } from './steps.ts';

/** Force-deletes one pod of each service, and kills the process of one. */
export async function kills(): Promise<void> {
  const found = await underTraffic('kills', async (step) => {
    for (const service of services)
      await step(`kill ${service}`, async () => {
        const [pod] = podsOf(homeA, service);
        kubectl(homeA, 'delete', 'pod', pod.metadata.name, '--force', '--grace-period=0');
        await sleep(1_000);
        await status(service);
      });
    for (const service of services)
      await step(`kill -9 ${service}`, async () => {
        const [{ spec, status: of }] = podsOf(homeA, service);
        const id = of.containerStatuses[0].containerID.replace('containerd://', '');
        const socket = socketOf(Number(spec.nodeName.replace('node', '')));
        run('ctr', ['-a', socket, '-n', 'k8s.io', 'task', 'kill', '-s', 'SIGKILL', id]);
        await sleep(5_000);
        await status(service);
      });
  });
  mustKeepAll(found);
}
