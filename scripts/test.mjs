// npm test [-- <jest arguments>]        all tests, with each home as one process
// npm run test:split [-- ...]           the acceptance tests, with every service in its own processes
//
// Fetches what the tests need (nats-server, redis-server, chromium, helm for the chart; Postgres comes from npm), runs
// jest, and writes its results to test-results/<topology>.json. In CI, a few failed files run once more, on their own,
// so that one flaky test does not hide the state of the rest: a file that then passes is listed at the end, as a fault
// to fix.
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { failedFiles, mergeAgain } from './ci/run-again.mjs';
import { ensureTools } from './tools/ensure-tools.mjs';
import { runInPlace } from './with-node/child.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
const split = args[0] === '--split';

const jest = (results, workers, files) => [
  ...['--experimental-vm-modules', '--no-warnings', join(root, 'node_modules', 'jest', 'bin', 'jest.js')],
  // Jest reads what follows "roots" as further roots, up to the next option.
  ...(split ? ['--roots', join(root, 'tests', 'acceptance')] : []),
  ...[`--maxWorkers=${workers}`, '--json', `--outputFile=${results}`],
  ...files,
];
const env = { ...process.env, PATH: [join(root, '.cache', 'bin'), process.env.PATH].join(delimiter) };
if (split) env.HEARTH_TEST_TOPOLOGY = 'split';

const patterns = args.filter((arg) => !arg.startsWith('-'));
/**
 * Helm contains half of Kubernetes, and takes minutes if Go has none of it cached: built before the tests, not within
 * one that has a timeout.
 */
const rendersChart =
  !split &&
  (patterns.length === 0 || patterns.some((pattern) => 'scripts/chart/chart.test.ts'.includes(pattern)));

/** All tests run in two passes: a browser uses both cores, and would disturb tests that measure time. */
const runs =
  split || args.length > 0
    ? [{ results: join(root, 'test-results', split ? 'split.json' : 'all.json') }]
    : [
        { results: join(root, 'test-results', 'all.json'), browser: 'without' },
        { results: join(root, 'test-results', 'browser.json'), browser: 'only' },
      ];

/** @returns {Promise<number>} the exit code of the second run, or of the first if there was no second */
async function runAgain(results, inRun) {
  const files = failedFiles(results);
  if (files.length === 0) return 1;
  console.log(`Once more, alone: ${files.map((file) => relative(root, file)).join(' ')}`);
  const again = results.replace(/\.json$/, '.again.json');
  const code = await runInPlace(process.execPath, jest(again, 1, ['--runTestsByPath', ...files]), inRun);
  const unsteady = mergeAgain(results, again).map((file) => relative(root, file));
  appendFileSync(join(root, 'test-results', 'unsteady.txt'), unsteady.map((file) => `${file}\n`).join(''));
  return code;
}

try {
  await ensureTools(['nats-server', 'redis-server', 'chromium', ...(rendersChart ? ['helm'] : [])]);
  mkdirSync(join(root, 'test-results'), { recursive: true });
  process.exitCode = 0;
  for (const { results, browser } of runs) {
    rmSync(results, { force: true });
    const inRun = { ...env, ...(browser && { HEARTH_TEST_BROWSER: browser }) };
    const files = split ? args.slice(1) : args;
    let code = await runInPlace(process.execPath, jest(results, 2, files), inRun);
    if (code === 1 && process.env.CI) code = await runAgain(results, inRun);
    process.exitCode ||= code;
    // Ended by a signal: the caller doesn't wait for the rest.
    if (code > 128) break;
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
