import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Breach, breachesOf } from '../law/law.ts';
import { readTree } from '../law/tree.ts';

const root = join(import.meta.dirname, '..', '..');

const rpc = 'services/messages/src/messages/rpc/send-message.ts';
const db = 'services/messages/src/messages/db/messages.ts';
const consumer = 'services/messages/src/messages/consumers/on-person-changed.ts';
const domain = 'services/messages/src/messages/domain/unread.ts';
const library = 'packages/cache/src/memory.ts';

const onlyHome = 'Only services/home imports services';
const byName = 'Import another workspace by its name';
const wholeHome = 'No library and no service imports the whole home';
const composition = 'nothing below imports them';
const storage = 'db imports db and packages alone';
const atTheEdge = 'Nothing imports rpc/';
const apart = 'consumers import neither each other nor their neighbours';
const pure = 'domain is rules as pure functions';
const environment = 'The environment is read in config files alone';

const services = readdirSync(join(root, 'services'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'home')
  .map((entry) => entry.name);

const refused: [path: string, code: string, says: string][] = [
  ...services.map((name): [string, string, string] => [library, `import '@hearth/${name}';`, onlyHome]),
  [rpc, "import { x } from '@hearth/identity';", onlyHome],
  [rpc, "import type { x } from '@hearth/identity';", onlyHome],
  [rpc, "export { x } from '@hearth/identity';", onlyHome],
  [rpc, "export * from '@hearth/identity';", onlyHome],
  [rpc, "export const x = await import('@hearth/identity');", onlyHome],
  ['services/messages/src/messages/rpc/send.test.ts', "import '@hearth/identity';", onlyHome],
  ['tests/acceptance/send.test.ts', "import '@hearth/identity';", onlyHome],
  [library, "import '../../../services/messages/src/service.ts';", byName],
  [library, "import '../../clock/src/index.ts';", byName],
  [rpc, "import '../../../../identity/src/people/db/people.ts';", byName],
  [rpc, "export const x = await import('../../../../identity/src/people/db/people.ts');", byName],
  ['services/home/src/main.ts', "import '../../messages/src/service.ts';", byName],
  ['tests/acceptance/send.test.ts', "import '../../packages/testkit/src/index.ts';", byName],
  [library, "import '@hearth/home';", wholeHome],
  [rpc, "import '@hearth/home';", wholeHome],
  [rpc, "import '../../service.ts';", composition],
  [db, "import '../../main.ts';", composition],
  [db, "import '../domain/unread.ts';", storage],
  [db, "import '../rpc/send-message.ts';", atTheEdge],
  [db, "import '../actions/announce.ts';", storage],
  [consumer, "import '../rpc/send-message.ts';", atTheEdge],
  [consumer, "import './on-group-changed.ts';", apart],
  [domain, "import '@hearth/db';", pure],
  [domain, "export { systemClock } from '@hearth/clock';", pure],
  [domain, "import 'pg';", pure],
  [domain, "import 'node:fs';", pure],
  [domain, "export const x = await import('node:fs');", pure],
  [domain, "import '../db/messages.ts';", pure],
  [domain, "import '../rpc/send-message.ts';", atTheEdge],
  [domain, "import '../actions/announce.ts';", pure],
  [domain, "import '../context.ts';", pure],
  [domain, "export const x = await import('../db/messages.ts');", pure],
  [rpc, 'export const x = Date.now();', 'Take a Clock'],
  [rpc, 'export const x = [1].map(Date.now);', 'Take a Clock'],
  [library, 'export const x = new Date();', 'nowDate(clock)'],
  [library, 'export const x = new Date;', 'nowDate(clock)'],
  [library, 'export const x = Date();', 'nowDate(clock)'],
  [domain, 'export const x = Math.random();', 'Take Random or Ids'],
  [rpc, 'export const x = crypto.randomUUID();', 'Take Ids'],
  [rpc, "import { randomUUID } from 'node:crypto';\nexport const x = randomUUID();", 'Take Ids'],
  [library, 'export const x = process.env.PORT;', environment],
  [library, "export const x = process['env'];", environment],
  [rpc, 'const { env } = process;\nexport { env };', environment],
  [rpc, "import { env } from 'node:process';\nexport { env };", environment],
  ['services/home/src/main.ts', 'export const x = process.env;', environment],
  [library, 'process.exit(1);', 'process.exit is forbidden'],
  [library, 'async function save() {}\nsave();', 'floating'],
  [library, 'const unused = 1;', 'unused'],
  [library, "import { unused } from './other.ts';", 'unused'],
];

const allowed: [path: string, code: string][] = [
  ['services/home/src/main.ts', "import '@hearth/messages';"],
  ['tests/acceptance/send.test.ts', "import '@hearth/home';"],
  ['tests/acceptance/send.test.ts', 'export const x = [Date.now(), Math.random(), process.env.PORT];'],
  ['scripts/measure.ts', 'export const x = [Date.now(), Math.random(), process.env.PORT];'],
  ['bench/main.ts', 'export const x = [Date.now(), Math.random(), process.env.PORT];'],
  ['packages/testkit/src/ports.ts', 'export const x = [Date.now(), Math.random(), process.env.PORT];'],
  ['packages/clock/src/index.ts', 'export const x = Date.now();'],
  ['packages/config/src/source.ts', 'export const x = process.env;'],
  ['packages/telemetry/src/config.ts', 'export const x = process.env;'],
  [rpc, "import '@hearth/db';\nimport '../context.ts';\nimport '../db/messages.ts';"],
  [rpc, "import '../domain/unread.ts';\nimport '../actions/announce.ts';"],
  [rpc, "import '@hearth/proto/messages/v1/messages';"],
  [db, "import '@hearth/db';\nimport './rows.ts';"],
  [consumer, "import '@hearth/outbox';\nimport '../context.ts';"],
  [domain, "import '@hearth/errors';\nimport '@hearth/addresses';"],
  [
    domain,
    "import '@hearth/proto/messages/v1/messages';\nimport './other.ts';\nimport '../domain/other.ts';",
  ],
  ['services/messages/src/messages/domain/unread.test.ts', "import '@jest/globals';\nimport 'fast-check';"],
  [domain, "import { createHash } from 'node:crypto';\nexport { createHash };"],
  ['services/messages/test/send.test.ts', "import '../src/service.ts';"],
  ['packages/db/src/test-support.ts', 'export const x = [Date.now(), process.env.PORT];'],
  [library, '// biome-ignore lint/plugin: it has hung for longer than its bound\nprocess.exit(1);'],
  ['services/gateway/src/rest/routes.ts', "import '../openapi/module.ts';"],
  [library, 'export const x = (moment: string) => new Date(moment);'],
];

const samples: { path: string; code: string; says: string | undefined }[] = [
  ...refused.map(([path, code, says]) => ({ path, code, says })),
  ...allowed.map(([path, code]) => ({ path, code, says: undefined })),
];

/** Samples that share a path are in different projects: the first of each path in 0, the second in 1, ... */
const placed = samples.map((sample, index) => ({
  ...sample,
  project: String(samples.slice(0, index).filter(({ path }) => path === sample.path).length),
}));
const projects = [...new Set(placed.map(({ project }) => project))];

interface Diagnostic {
  severity: string;
  message: string;
  location: { path: string };
}

function lint(folder: string): Promise<Diagnostic[]> {
  const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const args = [biome, 'lint', '--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none', '.'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 26 }, (_failed, stdout, stderr) => {
      if (!stdout.startsWith('{'))
        reject(new Error(`lint said nothing that can be read: ${stdout}${stderr}`));
      else resolve(JSON.parse(stdout).diagnostics);
    });
  });
}

let folder: string;
const found = new Map<string, Diagnostic[]>();
const broken = new Map<string, Breach[]>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-lint-'));
  for (const { project, path, code } of placed) {
    const file = join(folder, project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${code}\n`);
  }
  for (const project of projects) {
    for (const name of ['home', ...services]) {
      const modules = name === 'gateway' ? { rest: ['openapi'], openapi: [] } : {};
      const path = join(folder, project, 'services', name, 'package.json');
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify({ modules }));
    }
    mkdirSync(join(folder, project, 'services', 'messages', 'migrations'));
    writeFileSync(join(folder, project, 'services', 'messages', 'migrations', '0001-start.sql'), '');
    broken.set(project, breachesOf(readTree(join(folder, project))));
    cpSync(join(root, 'biome.json'), join(folder, project, 'biome.json'));
    cpSync(join(root, 'scripts', 'lint'), join(folder, project, 'scripts', 'lint'), { recursive: true });
    found.set(project, await lint(join(folder, project)));
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('lint', () => {
  test.each(placed.filter(({ says }) => says !== undefined))(
    'refuses in $path: $code',
    ({ project, path, says }) => {
      expect(errorsIn(project, path)).toEqual(expect.arrayContaining([expect.stringContaining(says!)]));
    },
  );

  test.each(placed.filter(({ says }) => says === undefined))(
    'allows in $path: $code',
    ({ project, path }) => {
      expect(errorsIn(project, path)).toEqual([]);
    },
  );
});

function errorsIn(project: string, path: string): string[] {
  return [
    ...found.get(project)!.filter(({ severity, location }) => severity === 'error' && location.path === path),
    ...broken.get(project)!.filter((breach) => breach.path === path),
  ].map(({ message }) => message);
}
