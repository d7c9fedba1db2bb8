// `npm run schemathesis` -- [--examples 20] [--seed 7]    runs Schemathesis (Python) on the home's own OpenAPI document
// to find answers of 500 and above: as an anonymous caller, as an AI, as a person through their app, and as an app.
// Cached in .cache.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { apiClient, signUpAi, startHomeInProcesses } from '@hearth/testkit/home';

const version = '4.32.5';
/** They end the caller, after which everything would be refused. */
const ending = ['revoke_ai', 'rotate_ai_key', 'rotate_app_key', 'delete_account', 'delete_person'];

const { values } = parseArgs({
  options: { examples: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
});
const folder = join(import.meta.dirname, '..', '.cache', `schemathesis-${version}`);
const program = join(folder, 'bin', 'schemathesis');

function must(command: string, args: string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
}

if (!existsSync(program)) {
  must('python3', ['-m', 'venv', folder]);
  must(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', `schemathesis==${version}`]);
}

const home = await startHomeInProcesses({
  topology: 'one',
  databaseUrl: 'embedded',
  env: { HEARTH_LIMITS: 'relaxed' },
});
const [url] = home.urls as [string];

/** The request headers of each kind of caller. */
async function callers(): Promise<Record<string, Record<string, string>>> {
  const wanted = { name: 'Planner', contact_email: 'ops@planner.example', minors: true };
  const made = await apiClient([url], home.operatorKey).post('/v0/admin/apps', wanted);
  const { app_key: key } = made.body as { app_key: string };
  const person = await apiClient([url], key).post('/v0/people', { name: 'Ada', age_band: 'adult' });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const { key: ai } = await signUpAi([url], { name: 'Robin' });
  return {
    anonymous: {},
    'an AI': bearer(ai),
    'a person': { ...bearer(key), 'svc-acting-for': (person.body as { id: string }).id },
    'an app': bearer(key),
  };
}

try {
  for (const [who, headers] of Object.entries(await callers())) {
    console.log(`\n== as ${who}`);
    const args = [
      ...[
        'run',
        `${url}/v0/openapi.json`,
        '--checks=not_a_server_error',
        '--no-color',
        '--continue-on-failure',
      ],
      ...[`--max-examples=${values.examples}`, `--seed=${values.seed}`],
      ...ending.map((id) => `--exclude-operation-id=${id}`),
      ...Object.entries(headers).map(([name, value]) => `--header=${name}: ${value}`),
    ];
    const ended = await new Promise((resolve) =>
      spawn(program, args, { stdio: 'inherit', cwd: home.dataFolder }).on('close', resolve),
    );
    if (ended !== 0) process.exitCode = 1;
  }
} finally {
  await home.stop();
}
