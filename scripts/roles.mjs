// npm run roles -- [--runs 500] [--seed 7]    changes roles at random between all other acts
// (services/*/test/*roles-model.test.ts)
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runInPlace } from './with-node/child.mjs';

try {
  const { values } = parseArgs({ options: { runs: { type: 'string' }, seed: { type: 'string' } } });
  for (const [name, text] of Object.entries(values))
    if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} takes a whole number, such as --${name} 7`);
  const env = { ...process.env, HEARTH_ROLES_RUNS: values.runs ?? '500', HEARTH_ROLES_SEED: values.seed };
  if (values.seed === undefined) delete env.HEARTH_ROLES_SEED;
  const test = join(import.meta.dirname, 'test.mjs');
  process.exitCode = await runInPlace(process.execPath, [test, 'roles-model'], env);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
