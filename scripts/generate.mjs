// npm run gen          writes proto/gen and the SDK's types from the .proto files, and new operations into
//                      proto/operations.txt; prints what is left of the bounds of tools/list
// npm run gen:check    fails if these are out of date, if an operation is gone or has changed its route, and if buf
//                      would format a .proto file differently
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { declarationFaults } from './generate/declarations.mjs';
import { messagesModule } from './generate/messages.mjs';
import { servicesModule, withNewRoutes } from './generate/registry.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const buf = join(root, 'node_modules', '@bufbuild', 'buf', 'bin', 'buf');
const routes = join(root, 'proto', 'operations.txt');
const catalogue = join(root, 'packages', 'i18n', 'catalogues', 'en');
const messages = join(root, 'packages', 'i18n', 'src', 'messages.ts');
const sdk = join(root, 'packages', 'sdk', 'src', 'operations.ts');
// buf finds its plugins on the PATH.
const env = { ...process.env, PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter) };

function runBuf(...args) {
  return spawnSync(process.execPath, [buf, ...args], { cwd: root, env, stdio: 'inherit' }).status === 0;
}

/** Writes the code, the descriptors with comments, and the list of services into proto/gen below `folder`. */
function generate(folder) {
  const gen = join(folder, 'proto', 'gen');
  const descriptors = join(gen, 'hearth.binpb');
  const made =
    runBuf('generate', '--output', folder) &&
    runBuf('build', '--as-file-descriptor-set', '--output', descriptors);
  if (made) writeFileSync(join(gen, 'services.ts'), servicesModule(readFileSync(descriptors)));
  return made;
}

/** The released and the new routes. Throws if a released route was removed or a field lacks its kind. */
function freshRoutes(folder) {
  const descriptors = readFileSync(join(folder, 'proto', 'gen', 'hearth.binpb'));
  const faults = declarationFaults(descriptors);
  if (faults.length > 0)
    throw new Error(
      `These declarations lack something:\n  ${faults.join('\n  ')}\nFields of these names have a kind, by which every surface reads and shows them in one way (proto/hearth/options.proto).`,
    );
  return withNewRoutes(readFileSync(routes, 'utf8'), descriptors);
}

/** The SDK's types, from the proto/gen in the tree. */
function sdkTypes() {
  const maker = join(root, 'services', 'gateway', 'src', 'openapi', 'print-sdk.ts');
  const { status, stdout } = spawnSync(process.execPath, [maker], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error('the types of the SDK could not be made');
  return stdout;
}

/** Generates outside the tree and compares, so that a check changes nothing. */
function check() {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-generated-'));
  try {
    if (!generate(folder)) return false;
    const folders = [root, folder].map((parent) => join(parent, 'proto', 'gen'));
    const compare = ['diff', '--no-index', '--exit-code', '--stat', ...folders];
    const same =
      spawnSync('git', compare, { stdio: 'inherit' }).status === 0 &&
      freshRoutes(folder) === readFileSync(routes, 'utf8') &&
      messagesModule(catalogue) === readFileSync(messages, 'utf8') &&
      sdkTypes() === readFileSync(sdk, 'utf8');
    if (!same) {
      console.error(
        'proto/gen or packages/sdk is not what the .proto files make. Run `npm run gen` and commit what it writes.',
      );
    }
    return same;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function write() {
  writeFileSync(messages, messagesModule(catalogue));
  if (!generate(root)) return false;
  writeFileSync(routes, freshRoutes(root));
  writeFileSync(sdk, sdkTypes());
  const printer = join(root, 'services', 'gateway', 'src', 'mcp', 'print-bounds.ts');
  return spawnSync(process.execPath, [printer], { stdio: 'inherit' }).status === 0;
}

try {
  const good = process.argv.includes('--check')
    ? runBuf('format', '--diff', '--exit-code', 'proto') && runBuf('lint') && check()
    : write();
  process.exitCode = good ? 0 : 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
