import { chart, valuesOf } from '../../../scripts/cluster/homes.ts';
import { homeA, later, must, mustKeepAll, services, underTraffic } from '../support.ts';
import { rollBack, said, status } from './steps.ts';

/**
 * Values that name another home: the new pods say why they do not start, the old ones keep serving, and a rollback ends
 * it.
 */
export async function name(): Promise<void> {
  const other = 'other.example.org';
  const values = JSON.stringify(valuesOf({ ...homeA, name: other }));
  const found = await underTraffic('name', async (step) => {
    await step('helm upgrade to another home.name', async () => {
      await later(
        'helm',
        ['upgrade', homeA.release, chart, '--namespace', homeA.release, '--values', '-'],
        values,
      );
      for (const service of services)
        await said(service, `this is the database of the home ${homeA.name}, and HEARTH_HOME is ${other}`);
    });
    await step('helm rollback', async () => {
      await rollBack();
      for (const service of services) await status(service);
    });
  });
  mustKeepAll(found);
  must('no request fails', found.errors === 0, found);
}
