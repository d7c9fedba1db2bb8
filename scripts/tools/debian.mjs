import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { withLock } from '../with-node/lock.mjs';
import { findProgram, isProgram } from './find-program.mjs';
import { run } from './run.mjs';

/**
 * Puts a program into .cache/bin unless it is on the PATH: on Debian-based systems the distribution's packages,
 * unpacked in the project, which needs no root and starts no service. On other systems it says what to install.
 *
 * `name` is the program's name, `packages` contain it, `elsewhere` says how others install it. `program` is its path in
 * the packages; `prepare(folder)` adds what it needs once they are unpacked there, and returns the variables that it is
 * started with.
 */
export async function ensureFromDebian(root, { name, packages, program, elsewhere, prepare = () => ({}) }) {
  const bin = join(root, '.cache', 'bin');
  const target = join(bin, name);
  if (isProgram(target) || findProgram(name) !== undefined) return;
  if (findProgram('apt-get') === undefined || findProgram('dpkg') === undefined) {
    throw new Error(`The tests need ${name} on the PATH. ${elsewhere}`);
  }
  mkdirSync(bin, { recursive: true });
  await withLock(`${target}.lock`, `fetches ${name}`, () => {
    if (isProgram(target)) return;
    console.error(`Fetching ${name} from the distribution, once.`);
    const incoming = mkdtempSync(join(root, '.cache', `${name}-`));
    try {
      unpack(incoming, packages);
      const folder = join(root, '.cache', name);
      rmSync(folder, { recursive: true, force: true });
      renameSync(incoming, folder);
      writeLauncher(target, join(folder, program), { ...librariesOf(folder), ...prepare(folder) });
      run(target, ['--version']);
    } catch (error) {
      rmSync(target, { force: true });
      throw new Error(
        `${name} could not be fetched; install it so that it is on the PATH.\n${error.message}`,
      );
    } finally {
      rmSync(incoming, { recursive: true, force: true });
    }
  });
}

/**
 * Unpacks exactly these packages into .cache/<place>, once, and returns the folder: `<name>.version` next to their
 * files has each version.
 */
export async function fetchFromDebian(root, place, packages) {
  const folder = join(root, '.cache', place);
  const isThere = () => packages.every((name) => existsSync(join(folder, `${name}.version`)));
  if (isThere()) return folder;
  if (findProgram('apt-get') === undefined || findProgram('dpkg') === undefined)
    throw new Error(`${packages.join(', ')} come from Debian, and apt-get or dpkg is not on the PATH.`);
  mkdirSync(dirname(folder), { recursive: true });
  await withLock(`${folder}.lock`, `fetches ${packages.join(', ')}`, () => {
    if (isThere()) return;
    const incoming = mkdtempSync(`${folder}-`);
    try {
      withPackageLists(incoming, (options) => downloadAndExtract(incoming, packages, options));
      rmSync(folder, { recursive: true, force: true });
      renameSync(incoming, folder);
    } finally {
      rmSync(incoming, { recursive: true, force: true });
    }
  });
  return folder;
}

/** Unpacks packages and their dependencies that the machine has not installed. */
function unpack(folder, packages) {
  withPackageLists(folder, (aptOptions) => {
    const install = ['install', '--simulate', '--no-install-recommends', ...packages];
    const plan = run('apt-get', [...aptOptions, ...install]);
    const missing = [...plan.matchAll(/^Inst (\S+)/gm)].map((match) => match[1]);
    downloadAndExtract(folder, missing, aptOptions);
  });
}

function withPackageLists(folder, work) {
  try {
    work([]);
  } catch {
    // Base images have no package lists; a private copy of the lists needs no root.
    const state = join(folder, 'apt');
    for (const part of ['lists', 'archives']) mkdirSync(join(state, part, 'partial'), { recursive: true });
    const ownState = ['-o', `Dir::State::Lists=${state}/lists`, '-o', `Dir::Cache=${state}`];
    const updateError = failureOf(() => run('apt-get', [...ownState, 'update']));
    const downloadError = failureOf(() => work(ownState));
    // An update may fail in its last step, the cleanup of folders owned by root, and still have fetched the lists.
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

function downloadAndExtract(folder, packages, aptOptions) {
  run('apt-get', [...aptOptions, 'download', ...packages], { cwd: folder });
  const archives = readdirSync(folder).filter((file) => file.endsWith('.deb'));
  for (const archive of archives) {
    run('dpkg', ['--extract', join(folder, archive), folder]);
    const field = (name) => run('dpkg-deb', ['--field', join(folder, archive), name]).trim();
    writeFileSync(join(folder, `${field('Package')}.version`), `${field('Version')}\n`);
    rmSync(join(folder, archive));
  }
}

function librariesOf(folder) {
  // Debian keeps libraries in one folder per architecture below /usr/lib, and a few in subfolders of it.
  const below = (parent) =>
    readdirSync(parent, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(parent, entry.name));
  const main = below(join(folder, 'usr', 'lib')).filter((path) => path.includes('-linux-'));
  const own = main
    .flatMap(below)
    .filter((path) => readdirSync(path).some((file) => /\.so(\.\d+)*$/.test(file)));
  return { LD_LIBRARY_PATH: [...main, ...own].join(':') };
}

function writeLauncher(target, program, variables) {
  const settings = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
  writeFileSync(target, `#!/bin/sh\n${settings.join(' ')} exec '${program}' "$@"\n`);
  chmodSync(target, 0o755);
}
