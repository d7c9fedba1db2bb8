// npm run cluster -- up | load | test [name...] | in <command...> | down
//
// A real Kubernetes of two nodes on this machine, in namespaces of its own, with two homes of the chart: `up` builds or
// finds its programs (half an hour the first time), builds the images, starts it and installs the homes; `load` imports
// images of later changes; `test` runs tests/cluster against them; `in` runs a command inside, such as kubectl, helm or
// curl; `down` ends it. HEARTH_CLUSTER is the folder of everything that it builds and runs.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '../tools/run.mjs';
import { makeCertificates } from './certificates.ts';
import { homes, install, worldNames } from './homes.ts';
import { makeImages } from './images.ts';
import { importImages } from './import-images.ts';
import { ensurePrograms, path } from './programs.ts';
import { controllers, folder, kubeconfig, root, state } from './settings.ts';
import { system, volumeCount, volumeFolder } from './system.ts';

const nodes = 2;
const pidFile = join(state, 'pid');
const [command = '', ...args] = process.argv.slice(2);
const began = performance.now();
const say = (words: string) => console.log(`${words} (${Math.round((performance.now() - began) / 1000)} s)`);

/** Arguments that enter the cluster's namespaces, in the current folder. */
function entering(program: readonly string[]): string[] {
  if (!existsSync(pidFile)) throw new Error(`no cluster runs in ${folder}: npm run cluster -- up`);
  const own = [`KUBECONFIG=${kubeconfig('admin')}`, `HOME=${join(state, 'tmp')}`, `PATH=${path}`];
  const pid = readFileSync(pidFile, 'utf8');
  return [
    '-t',
    pid,
    '-m',
    '-n',
    '-p',
    '-u',
    '-i',
    '-C',
    `--wdns=${process.cwd()}`,
    '--',
    'env',
    ...own,
    ...program,
  ];
}
const inside = (program: readonly string[], input?: string) =>
  run('nsenter', entering(program), input === undefined ? {} : { input });

/** Runs a program inside with inherited output; returns its exit status. */
function show(program: readonly string[]): number {
  const { status } = spawnSync('nsenter', entering(program), { stdio: 'inherit' });
  return status ?? 1;
}

async function until(what: string, seconds: number, holds: () => boolean): Promise<void> {
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(300)) {
    try {
      if (holds()) return say(what);
    } catch {
      // Not ready yet.
    }
  }
  throw new Error(`${what}: not within ${seconds} s; its logs are in ${state}`);
}

async function up(): Promise<void> {
  if (existsSync(pidFile)) throw new Error(`a cluster is in ${folder} already: npm run cluster -- down`);
  await ensurePrograms();
  say('its programs are there');
  await makeImages();
  say('its images are there');
  mkdirSync(join(state, 'tmp'), { recursive: true });
  for (let index = 0; index < volumeCount; index += 1)
    mkdirSync(volumeFolder(index), { recursive: true, mode: 0o777 });
  run('chmod', ['-R', '777', join(state, 'volumes')]);
  makeCertificates(nodes, worldNames);
  const log = openSync(join(state, 'inside.log'), 'w');
  const inner = [process.execPath, '--no-warnings', join(import.meta.dirname, 'inside.ts'), String(nodes)];
  const outer = spawn(
    'unshare',
    ['-n', '-m', '-p', '-u', '-i', '-C', '--fork', '--mount-proc', '--kill-child', ...inner],
    {
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...process.env, PATH: path },
    },
  );
  outer.unref();
  await until('its first process runs', 20, () => {
    writeFileSync(pidFile, run('pgrep', ['-P', String(outer.pid)]).trim());
    return true;
  });
  await until('the API answers', 120, () => inside(['kubectl', 'get', '--raw', '/readyz']) !== '');
  inside(['kubectl', 'apply', '-f', '-'], JSON.stringify(system(worldNames)));
  await until(`${nodes} nodes are Ready`, 240, () => {
    const lines = inside(['kubectl', 'get', 'nodes', '--no-headers']).split('\n');
    return lines.filter((line) => / Ready /.test(line)).length === nodes;
  });
  inside(['kubectl', '-n', 'kube-system', 'rollout', 'status', 'deployment/coredns', '--timeout=120s']);
  say('names are served');
  for (const home of homes) {
    install(home, inside);
    say(`${home.name} is installed`);
  }
}

/** Loads the project's current changes into the running cluster. */
async function load(): Promise<void> {
  await makeImages();
  for (let node = 1; node <= nodes; node += 1) importImages(node, (line) => inside(['sh', '-euc', line]));
  say('its images are those of the project');
}

async function down(): Promise<void> {
  if (!existsSync(state)) return console.log(`no cluster is in ${folder}`);
  if (existsSync(pidFile)) {
    const pid = Number(readFileSync(pidFile, 'utf8'));
    // The number may belong to another process by now.
    const isOurs = () => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('inside.ts');
      } catch {
        return false;
      }
    };
    if (isOurs()) process.kill(pid, 'SIGKILL');
    while (isOurs()) await sleep(100);
  }
  // cgroups v1 belong to the machine: their folders outlive the processes.
  const own = readFileSync('/proc/self/cgroup', 'utf8');
  for (const name of controllers) {
    const below = own.match(new RegExp(`^\\d+:(?:name=)?${name}:(.*)$`, 'm'))?.[1] ?? '/';
    for (let node = 1; node <= nodes; node += 1)
      await removeGroup(join('/sys/fs/cgroup', name, below, `node${node}`));
  }
  rmSync(state, { recursive: true, force: true });
  say('the cluster is gone');
}

async function removeGroup(path: string): Promise<void> {
  for (let tries = 0; existsSync(path) && tries < 50; tries += 1) {
    spawnSync('find', [path, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', '+'], { stdio: 'ignore' });
    if (existsSync(path)) await sleep(100);
  }
}

const commands: Record<string, () => unknown> = {
  up,
  down,
  load,
  test: () => {
    const program = [process.execPath, '--no-warnings', join(root, 'tests', 'cluster', 'main.ts'), ...args];
    process.exitCode = show(program);
  },
  in: () => {
    process.exitCode = show(args);
  },
};
const chosen = commands[command];
try {
  if (chosen === undefined)
    throw new Error('npm run cluster -- up | load | test [name...] | in <command...> | down');
  await chosen();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
