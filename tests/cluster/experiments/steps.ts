import { deploymentOf, homeA, kubectl, later, must, sleep } from '../support.ts';

// biome-ignore lint/suspicious/noExplicitAny: resources of Kubernetes.
export type Resource = any;

/** Brings the first home back to its release of before. */
export function rollBack(): Promise<unknown> {
  const { release } = homeA;
  return later('helm', ['rollback', release, '--namespace', release, '--wait', '--timeout', '10m']);
}

/** Waits until a pod of a service says these words in its log: one that does not start. */
export async function said(service: string, words: string): Promise<void> {
  const pods = `app.kubernetes.io/instance=${homeA.release},app.kubernetes.io/component=${service}`;
  for (const end = performance.now() + minutes(2); ; await sleep(2_000)) {
    // A pod that is only just made has no log yet.
    const log = await later('kubectl', ['-n', homeA.release, 'logs', '-l', pods, '--tail=20']).catch(String);
    if (log.includes(words)) return;
    must(`a pod of ${service} says: ${words}`, performance.now() < end, log);
  }
}

export const minutes = (count: number) => count * 60_000;

/** Replaces the pods of a service, and waits until the new ones are there. */
export async function restart(service: string): Promise<void> {
  kubectl(homeA, 'rollout', 'restart', deploymentOf(homeA, service));
  await status(service);
}

/** rollout status without holding the traffic of this process up. */
export const status = (service: string) =>
  later('kubectl', [
    '-n',
    homeA.release,
    'rollout',
    'status',
    deploymentOf(homeA, service),
    '--timeout=400s',
  ]);
