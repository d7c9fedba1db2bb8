// npm run gen          writes proto/gen from the .proto files
// npm run gen:check    fails when proto/gen is not what they make
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const buf = join(root, 'node_modules', '@bufbuild', 'buf', 'bin', 'buf');
// buf finds its plugins on the PATH.
const env = { ...process.env, PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter) };

function runBuf(...args) {
  return spawnSync(process.execPath, [buf, ...args], { cwd: root, env, stdio: 'inherit' }).status === 0;
}

/** Writes the code, and the descriptors with their comments, into proto/gen below `folder`. */
function generate(folder) {
  const descriptors = join(folder, 'proto', 'gen', 'hearth.binpb');
  return (
    runBuf('generate', '--output', folder) &&
    runBuf('build', '--as-file-descriptor-set', '--output', descriptors)
  );
}

/** Generates beside the tree and compares, so that a check changes nothing. */
function check() {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-generated-'));
  try {
    if (!generate(folder)) return false;
    const folders = [root, folder].map((parent) => join(parent, 'proto', 'gen'));
    const compare = ['diff', '--no-index', '--exit-code', '--stat', ...folders];
    if (spawnSync('git', compare, { stdio: 'inherit' }).status === 0) return true;
    console.error(
      'proto/gen is not what the .proto files make. Run `npm run gen` and commit what it writes.',
    );
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const good = process.argv.includes('--check') ? check() : generate(root);
process.exitCode = good ? 0 : 1;
