// npm run fuzz -- [--calls 200000] [--seed 7]
//
// Calls every declared operation with valid and invalid values (tests/fuzz).
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runInPlace } from './with-node/child.mjs';

try {
  const { values } = parseArgs({ options: { calls: { type: 'string' }, seed: { type: 'string' } } });
  for (const [name, text] of Object.entries(values))
    if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} takes a whole number, such as --${name} 7`);
  const env = { ...process.env, HEARTH_FUZZ_CALLS: values.calls ?? '200000', HEARTH_FUZZ_SEED: values.seed };
  if (values.seed === undefined) delete env.HEARTH_FUZZ_SEED;
  const test = join(import.meta.dirname, 'test.mjs');
  process.exitCode = await runInPlace(process.execPath, [test, 'tests/fuzz'], env);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
