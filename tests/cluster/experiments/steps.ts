import { deploymentOf, homeA, kubectl, later, must, sleep } from '../support.ts';

// biome-ignore lint/suspicious/noExplicitAny: resources of Kubernetes.
export type Resource = any;

/** Rolls the first home back to its previous release. */
export function rollBack(): Promise<unknown> {
  const { release } = homeA;
  return later('helm', ['rollback', release, '--namespace', release, '--wait', '--timeout', '10m']);
}

/** Waits until a pod of a service that does not start logs these words. */
export async function said(service: string, words: string): Promise<void> {
  const pods = `app.kubernetes.io/instance=${homeA.release},app.kubernetes.io/component=${service}`;
  for (const end = performance.now() + minutes(2); ; await sleep(2_000)) {
    // A new pod has no log yet.
    const log = await later('kubectl', ['-n', homeA.release, 'logs', '-l', pods, '--tail=20']).catch(String);
    if (log.includes(words)) return;
    must(`a pod of ${service} says: ${words}`, performance.now() < end, log);
  }
}

export const minutes = (count: number) => count * 60_000;

/** Restarts a service's pods, and waits for the new ones. */
export async function restart(service: string): Promise<void> {
  kubectl(homeA, 'rollout', 'restart', deploymentOf(homeA, service));
  await status(service);
}

/** Runs rollout status without blocking this process's traffic. */
export const status = (service: string) =>
  later('kubectl', [
    '-n',
    homeA.release,
    'rollout',
    'status',
    deploymentOf(homeA, service),
    '--timeout=400s',
  ]);
