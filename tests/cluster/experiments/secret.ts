import { randomBytes } from 'node:crypto';
import {
  deploymentOf,
  homeA,
  kubectl,
  later,
  must,
  mustKeepAll,
  services,
  talkInside,
  underTraffic,
} from '../support.ts';
import { said, status } from './steps.ts';

/**
 * Changes HEARTH_PEER_SECRET. A rollout next to services with the previous secret stops at its first pod, which says
 * why; with all services stopped, the change works as in docs/kubernetes.md.
 */
export async function secret(): Promise<void> {
  const { release } = homeA;
  const value = () => Buffer.from(randomBytes(24).toString('base64url')).toString('base64');
  const put = () => {
    const patch = JSON.stringify({ data: { HEARTH_PEER_SECRET: value() } });
    kubectl(homeA, 'patch', 'secret', `${release}-hearth-secrets`, '--type', 'merge', '--patch', patch);
  };
  const all = `app.kubernetes.io/instance=${release}`;
  const scaleAll = (count: number) =>
    later('kubectl', ['-n', release, 'scale', 'deployment', `--replicas=${count}`, '-l', all]);
  const found = await underTraffic('secret', async (step) => {
    const errors = await step('a rollout stops', async () => {
      put();
      for (const service of services) {
        kubectl(homeA, 'rollout', 'restart', deploymentOf(homeA, service));
        await said(service, 'HEARTH_PEER_SECRET must be the same for all services of the home');
      }
    });
    must('a rollout that stops costs no request', errors === 0, errors);
    await step('all stop, and start with another', async () => {
      await scaleAll(0);
      const running = `${all},hearth.part=service,app.kubernetes.io/component!=migrate`;
      const gone = ['wait', 'pod', '--for=delete', '--timeout=120s', '-l', running];
      await later('kubectl', ['-n', release, ...gone]);
      await scaleAll(homeA.replicas);
      for (const service of services) await status(service);
    });
  });
  mustKeepAll(found);
  await talkInside();
}
