// npm run nightly    runs what takes too long for every change: the long tests of which CI runs a sample. Takes an hour
// or two.
import { runInPlace } from './with-node/child.mjs';

// Another seed each day, shared by all of the day's runs; printed with each fault.
const seed = String(Math.floor(Date.now() / 86_400_000));
const steps = [
  ['test', 'tests/faults', 'tests/acceptance/hostile-requests', 'services/home/test/security/guesses'],
  // Separately, because a browser takes both cores.
  ['test', 'web/test/pages.chromium'],
  ['fuzz', '--calls', '200000', '--seed', seed],
  ['fuzz:parsers', '--count', '5000000', '--seed', seed],
  ['roles', '--runs', '500', '--seed', seed],
  ['schemathesis', '--examples', '20', '--seed', seed],
  ['mutants'],
];

// Tests with a sample in CI run in full.
const env = { ...process.env, HEARTH_TEST_WHOLE: '1' };
const done = [];
for (const [script, ...args] of steps) {
  console.log(`\n=== ${script}`);
  const begin = Date.now();
  const code = await runInPlace('npm', ['run', '--silent', script, '--', ...args], env);
  done.push({ script, good: code === 0, seconds: Math.round((Date.now() - begin) / 1000) });
  // Ended by a signal, and so is the rest.
  if (code > 128) break;
}
console.log('\n=== times');
for (const { script, good, seconds } of done)
  console.log(`${script.padEnd(14)}${String(seconds).padStart(5)} s  ${good ? 'good' : 'FAILED'}`);
process.exitCode = done.length === steps.length && done.every(({ good }) => good) ? 0 : 1;
