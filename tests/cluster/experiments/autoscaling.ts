import { chart, valuesOf } from '../../../scripts/cluster/homes.ts';
import { get, homeA, later, must, mustKeepAll, services, underTraffic } from '../support.ts';
import { type Resource, rollBack } from './steps.ts';

/** Switches autoscaling on under traffic: each service keeps its pods, because the autoscaler has no metrics here. */
export async function autoscaling(): Promise<void> {
  const { release } = homeA;
  const defaults = { ...valuesOf(homeA).defaults, autoscaling: { enabled: true, minReplicas: 1 } };
  const values = JSON.stringify({ ...valuesOf(homeA), defaults });
  const pods = () => get(homeA, 'deployments').items.map(({ spec }: Resource) => spec.replicas);
  const helm = ['--namespace', release, '--wait', '--timeout', '10m'];
  const found = await underTraffic('autoscaling', async (step) => {
    await step('helm upgrade', () =>
      later('helm', ['upgrade', release, chart, '--values', '-', ...helm], values),
    );
    const kept = pods();
    must(
      'each service keeps its pods',
      kept.every((count: number) => count === homeA.replicas),
      kept,
    );
    const scalers = get(homeA, 'horizontalpodautoscalers').items.length;
    must('each service has an autoscaler', scalers === services.length, scalers);
    await step('helm rollback', rollBack);
  });
  mustKeepAll(found);
  must('no request fails', found.errors === 0, found);
}
