// npm run cluster -- test [name...]: runs the experiments on the live cluster in this order, or only the named ones.
// Run by hand, not in .ci/run.
import { experiments } from './experiments/index.ts';

const named = process.argv.slice(2);
const unknown = named.filter((name) => !Object.hasOwn(experiments, name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there are ${Object.keys(experiments).join(', ')}.`);
  process.exit(2);
}
for (const [name, experiment] of Object.entries(experiments)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const began = performance.now();
  try {
    await experiment();
    console.log(`ok ${name} (${Math.round((performance.now() - began) / 1000)} s)`);
  } catch (error) {
    console.log(`FAILED ${name}: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
