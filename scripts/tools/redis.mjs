import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../with-node/lock.mjs';
import { findProgram, isProgram } from './find-program.mjs';
import { run } from './run.mjs';

/**
 * Puts redis-server into .cache/bin where the PATH has none: on Debian and its kin the distribution's package,
 * unpacked in the project, which needs no root and starts no service. Elsewhere it says what to install.
 */
export async function ensureRedis(root) {
  const bin = join(root, '.cache', 'bin');
  const target = join(bin, 'redis-server');
  if (isProgram(target) || findProgram('redis-server') !== undefined) return;
  if (findProgram('apt-get') === undefined || findProgram('dpkg') === undefined) {
    throw new Error(
      'The tests need redis-server (6.2 or newer) on the PATH. Install it, for example with `brew install redis` or `dnf install redis`.',
    );
  }
  mkdirSync(bin, { recursive: true });
  await withLock(`${target}.lock`, 'fetches redis-server', () => {
    if (isProgram(target)) return;
    console.error('Fetching redis-server from the distribution, once.');
    const incoming = mkdtempSync(join(root, '.cache', 'redis-'));
    try {
      unpackRedis(incoming);
      const folder = join(root, '.cache', 'redis');
      rmSync(folder, { recursive: true, force: true });
      renameSync(incoming, folder);
      writeLauncher(target, folder);
      run(target, ['--version']);
    } catch (error) {
      rmSync(target, { force: true });
      throw new Error(
        `redis-server could not be fetched; install it so that it is on the PATH.\n${error.message}`,
      );
    } finally {
      rmSync(incoming, { recursive: true, force: true });
    }
  });
}

/** Unpacks redis-server and those of its libraries that the machine has not installed. */
function unpackRedis(folder) {
  try {
    downloadAndUnpack(folder, []);
  } catch {
    // Base images come without package lists; a private copy of them needs no root.
    const state = join(folder, 'apt');
    for (const part of ['lists', 'archives']) mkdirSync(join(state, part, 'partial'), { recursive: true });
    const ownState = ['-o', `Dir::State::Lists=${state}/lists`, '-o', `Dir::Cache=${state}`];
    const updateError = failureOf(() => run('apt-get', [...ownState, 'update']));
    const downloadError = failureOf(() => downloadAndUnpack(folder, ownState));
    // An update may fail in its last step, the clean-up of folders that are root's, and yet have brought the lists.
    if (downloadError) throw updateError ?? downloadError;
    rmSync(state, { recursive: true, force: true });
  }
}

function failureOf(work) {
  try {
    work();
  } catch (error) {
    return error;
  }
}

function downloadAndUnpack(folder, aptOptions) {
  const plan = run('apt-get', [
    ...aptOptions,
    'install',
    '--simulate',
    '--no-install-recommends',
    'redis-server',
  ]);
  const missing = [...plan.matchAll(/^Inst (\S+)/gm)].map((match) => match[1]);
  run('apt-get', [...aptOptions, 'download', ...missing], { cwd: folder });
  const archives = readdirSync(folder).filter((file) => file.endsWith('.deb'));
  for (const archive of archives) {
    run('dpkg', ['--extract', join(folder, archive), folder]);
    rmSync(join(folder, archive));
  }
}

function writeLauncher(target, folder) {
  // Debian keeps libraries in one folder per architecture below /usr/lib.
  const libraries = readdirSync(join(folder, 'usr', 'lib'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.includes('-linux-'))
    .map((entry) => join(folder, 'usr', 'lib', entry.name));
  const program = join(folder, 'usr', 'bin', 'redis-server');
  writeFileSync(target, `#!/bin/sh\nLD_LIBRARY_PATH='${libraries.join(':')}' exec '${program}' "$@"\n`);
  chmodSync(target, 0o755);
}
