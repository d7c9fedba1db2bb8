// npm run loadtest [-- <scenario> [NAME=value...]]
//
// Runs a scenario of k6 against the home at BASE_URL, which was started with HEARTH_LIMITS=relaxed. Builds k6 when it
// is not there yet. Fails when a threshold does, or when a message that was acknowledged is in no mailbox.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureTools } from '../scripts/tools/ensure-tools.mjs';

const folder = import.meta.dirname;
const [scenario = 'held-polls', ...settings] = process.argv.slice(2);
const script = join(folder, 'scenarios', `${scenario}.js`);
if (!existsSync(script)) {
  console.error(`There is no scenario ${scenario}; see loadtest/scenarios.`);
  process.exit(2);
}

await ensureTools(['k6']);
const own = join(folder, '..', '.cache', 'bin', 'k6');
const results = mkdtempSync(join(tmpdir(), 'hearth-loadtest-'));
const summaryFile = join(results, 'summary.json');
const variables = [...settings, `SUMMARY=${summaryFile}`].flatMap((setting) => ['-e', setting]);
const { status, error } = spawnSync(existsSync(own) ? own : 'k6', ['run', '--quiet', ...variables, script], {
  stdio: 'inherit',
  env: { ...process.env, K6_NO_USAGE_REPORT: 'true' },
});
if (error !== undefined) console.error(error.message);
const nowhere = existsSync(summaryFile) ? JSON.parse(readFileSync(summaryFile, 'utf8')).nowhere : 0;
if (nowhere !== 0) console.error(`${nowhere} messages were acknowledged and are in no mailbox.`);
rmSync(results, { recursive: true, force: true });
process.exitCode = status !== 0 ? (status ?? 1) : nowhere !== 0 ? 1 : 0;
