import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../with-node/lock.mjs';
import { findProgram, isProgram } from './find-program.mjs';
import { run } from './run.mjs';

/** The programs that tools/go.mod pins: name, and the package that it is built from. */
const packages = {
  'nats-server': 'github.com/nats-io/nats-server/v2',
  k6: 'go.k6.io/k6/v2',
};

/** By name, the functions that put each tool into the project's .cache/bin. */
export const goTools = Object.fromEntries(
  Object.keys(packages).map((name) => [name, (root) => ensureGoTool(root, name)]),
);

/**
 * Builds a Go program into .cache/bin, unless it is there as tools/go.mod pins it. Without Go on the PATH, one
 * that is on the PATH itself is good enough.
 */
async function ensureGoTool(root, name) {
  const bin = join(root, '.cache', 'bin');
  const target = join(bin, name);
  const stamp = `${target}.built-from`;
  const pins = pinsOf(join(root, 'tools'));
  const isBuilt = () => isProgram(target) && readIfThere(stamp) === pins;
  if (isBuilt()) return;
  const go = findProgram('go');
  if (go === undefined) {
    if (findProgram(name) !== undefined) return;
    throw new Error(
      `${name} is built with Go, and go is not on the PATH. Install Go (https://go.dev/dl) or ${name}.`,
    );
  }
  mkdirSync(bin, { recursive: true });
  await withLock(`${target}.lock`, `builds ${name}`, () => {
    if (isBuilt()) return;
    console.error(`Building ${name}, once.`);
    const incoming = `${target}.incoming`;
    run(go, ['build', '-o', incoming, packages[name]], { cwd: join(root, 'tools') });
    renameSync(incoming, target);
    writeFileSync(stamp, pins);
  });
}

function pinsOf(folder) {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(folder, file)));
  return hash.digest('hex');
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
