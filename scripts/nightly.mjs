// npm run nightly    what takes too long for every change: the long runs of which CI has a sample. An hour or two.
import { runInPlace } from './with-node/child.mjs';

// Another seed each day, the same for all that runs on it; a fault is printed with it.
const seed = String(Math.floor(Date.now() / 86_400_000));
const steps = [
  ['test', 'tests/faults', 'tests/acceptance/hostile-requests', 'services/home/test/security/guesses'],
  // Apart: a browser takes both cores.
  ['test', 'web/test/pages.chromium'],
  ['fuzz', '--calls', '200000', '--seed', seed],
  ['fuzz:parsers', '--count', '5000000', '--seed', seed],
  ['roles', '--runs', '500', '--seed', seed],
  ['schemathesis', '--examples', '20', '--seed', seed],
  ['mutants'],
];

// Tests that have a sample in CI run as a whole.
const env = { ...process.env, HEARTH_TEST_WHOLE: '1' };
const done = [];
for (const [script, ...args] of steps) {
  console.log(`\n=== ${script}`);
  const begin = Date.now();
  const code = await runInPlace('npm', ['run', '--silent', script, '--', ...args], env);
  done.push({ script, good: code === 0, seconds: Math.round((Date.now() - begin) / 1000) });
  // Ended by a signal: so is the rest.
  if (code > 128) break;
}
console.log('\n=== times');
for (const { script, good, seconds } of done)
  console.log(`${script.padEnd(14)}${String(seconds).padStart(5)} s  ${good ? 'good' : 'FAILED'}`);
process.exitCode = done.length === steps.length && done.every(({ good }) => good) ? 0 : 1;
