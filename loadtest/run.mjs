// npm run loadtest [-- <scenario> [NAME=value...]]
//
// Runs a k6 scenario against the home at BASE_URL, which must run with HEARTH_LIMITS=relaxed; or, with TOPOLOGY=one or split,
// against a home that it starts itself (two for federation). Builds k6 if it is missing. Fails if a threshold fails, or if an
// acknowledged message is in no mailbox. Writes its results to loadtest/results, with the machine and the commit.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureTools } from '../scripts/tools/ensure-tools.mjs';
import { mistakesIn } from './check-settings.mjs';

const folder = import.meta.dirname;
const [scenario = 'held-polls', ...given] = process.argv.slice(2);
const script = join(folder, 'scenarios', `${scenario}.js`);
const settings = Object.fromEntries(given.map((setting) => setting.split(/=(.*)/s)));
const { TOPOLOGY: topology } = settings;
const isOwn = topology !== undefined;
if (!existsSync(script) || (isOwn && !['one', 'split'].includes(topology))) {
  console.error(
    `There is no scenario ${scenario}, or TOPOLOGY is neither one nor split; see loadtest/README.md.`,
  );
  process.exit(2);
}

const mistakes = mistakesIn(scenario, settings, process.env);
if (mistakes.length > 0) {
  console.error(mistakes.join('\n'));
  process.exit(2);
}

const bases = settings.BASE_URL ?? process.env.BASE_URL ?? 'http://localhost:8080';
for (const base of isOwn ? [] : bases.split(',')) {
  const answer = await fetch(`${base.trim().replace(/\/$/, '')}/health`).catch(() => null);
  if (answer?.ok) continue;
  console.error(`No home answers at ${base}. Start one with HEARTH_LIMITS=relaxed, or give TOPOLOGY=one.`);
  process.exit(2);
}

await ensureTools(['k6', ...(topology === 'split' ? ['nats-server', 'redis-server'] : [])]);
const { describeMachine } = await import('../bench/lib/machine.ts');
const machine = describeMachine();
const { stop, ...found } = isOwn ? await startHomes() : { stop: async () => {} };
const results = join(folder, 'results');
mkdirSync(results, { recursive: true });
const place = join(results, `${scenario}-${topology ?? 'given'}.json`);
const variables = Object.entries({ ...found, ...settings, SUMMARY: place }).flatMap(([name, value]) => [
  '-e',
  `${name}=${value}`,
]);
// Failed requests are counted; k6's own errors are reported at the end.
const log = join(mkdtempSync(join(tmpdir(), 'loadtest-')), 'k6.log');
const own = join(folder, '..', '.cache', 'bin', 'k6');
let status = 1;
try {
  const k6 = spawn(
    existsSync(own) ? own : 'k6',
    ['run', '--quiet', `--log-output=file=${log},level=error`, '--log-format=raw', ...variables, script],
    {
      stdio: 'inherit',
      env: { ...process.env, K6_NO_USAGE_REPORT: 'true' },
    },
  );
  status = await new Promise((resolve, reject) => k6.on('close', resolve).on('error', reject));
} finally {
  await stop();
}
const summary = existsSync(place) ? JSON.parse(readFileSync(place, 'utf8')) : {};
writeFileSync(place, `${JSON.stringify({ scenario, topology, ...summary, machine }, null, 2)}\n`);
if (summary.nowhere > 0) console.error(`${summary.nowhere} were acknowledged and are nowhere.`);
if (status !== 0) for (const line of firstErrors()) console.error(line);
process.exitCode = status || (summary.nowhere !== 0 ? 1 : 0);

/** k6's first five distinct errors. */
function firstErrors() {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
  return [...new Set(lines.filter((line) => line.trim() !== ''))].slice(0, 5);
}

/** Starts a home, or two that know each other; returns the variables by which a scenario finds them. */
async function startHomes() {
  const { startBenchHome } = await import('../bench/lib/home.ts');
  const { freePort } = await import('@hearth/testkit/free-port');
  const layout = topology === 'one' ? 'one' : 'split';
  // Keeps only the limit on writes, which the scenario is about.
  const sparse = { sign_ups_an_hour: null, messages_to_strangers_a_day: { unclaimed: null } };
  const limits = scenario === 'overload' && { HEARTH_LIMITS: JSON.stringify(sparse) };
  if (scenario !== 'federation') {
    const home = await startBenchHome({ layout, env: { ...limits } });
    const urls = home.ports.map((port) => `http://localhost:${port}`);
    return { BASE_URL: urls.join(','), OPERATOR_KEY: home.operatorKey, stop: () => home.stop() };
  }
  const ports = [await freePort(), await freePort()];
  const homes = await Promise.all(
    ports.map((port, index) =>
      startBenchHome({ layout, among: { port, others: [`localhost:${ports[1 - index]}`] } }),
    ),
  );
  const [one, other] = ports.map((port) => `http://localhost:${port}`);
  return {
    BASE_URL: one,
    OTHER_URL: other,
    stop: async () => void (await Promise.all(homes.map((home) => home.stop()))),
  };
}
