import { chart, valuesOf } from '../../../scripts/cluster/homes.ts';
import { root } from '../../../scripts/cluster/settings.ts';
import { run } from '../../../scripts/tools/run.mjs';
import {
  deploymentOf,
  get,
  homeA,
  kubectl,
  later,
  must,
  mustKeepAll,
  services,
  settled,
  underTraffic,
} from '../support.ts';
import { type Resource, rollBack, status } from './steps.ts';

/**
 * Upgrades to the next image, which changes every table, and back to one that does not know the change; secrets stay
 * the same.
 */
export async function upgrades(): Promise<void> {
  const secret = () => get(homeA, 'secret', `${homeA.release}-hearth-secrets`);
  const before = secret();
  const values = {
    ...valuesOf(homeA),
    image: { tag: `${JSON.parse(run('cat', [`${root}/package.json`])).version}-next` },
  };
  const helm = ['upgrade', homeA.release, chart, '--namespace', homeA.release, '--values', '-'];
  const imagesOf = () =>
    get(homeA, 'deployments').items.map((item: Resource) => item.spec.template.spec.containers[0].image);
  // Starts from this version's image, whatever an earlier run left.
  run('helm', [...helm, '--wait', '--timeout', '10m'], { input: JSON.stringify(valuesOf(homeA)) });
  settled(homeA);
  const [old] = imagesOf();
  const found = await underTraffic('upgrades', async (step) => {
    await step('helm upgrade', async () => {
      await later('helm', [...helm, '--wait', '--timeout', '10m'], JSON.stringify(values));
      for (const service of services) await status(service);
      must(
        'every service has the next image',
        imagesOf().every((image: string) => image === `${old}-next`),
        imagesOf(),
      );
      const columns = columnsOfNext();
      console.log(`  ${columns} tables have a column that this version does not know`);
      must('the tables are those of the next version', columns > 50, columns);
    });
    await step('helm rollback', rollBack);
  });
  must(
    'every service has the image from before',
    imagesOf().every((image: string) => image === old),
    imagesOf(),
  );
  const after = secret();
  must('the Secret is the same object with the same data', after.metadata.uid === before.metadata.uid);
  must('and the same data', JSON.stringify(after.data) === JSON.stringify(before.data));
  mustKeepAll(found);
  must('no request fails while the home is upgraded', found.errors === 0, found);
}

/** How many tables, as a service sees them, have the column that the next version adds. */
function columnsOfNext(): number {
  const sql = "select count(*)::int as n from information_schema.columns where column_name = 'next'";
  const look = `const c = new (require('pg').Client)(process.env.DATABASE_URL);
    c.connect().then(() => c.query(${JSON.stringify(sql)})).then(({ rows }) => { console.log(rows[0].n); return c.end(); })`;
  return Number(kubectl(homeA, 'exec', deploymentOf(homeA, 'messages'), '--', '/usr/bin/node', '-e', look));
}
