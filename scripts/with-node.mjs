// node scripts/with-node.mjs [node options] <entry> [arguments]
//
// Runs an entry point of this project on any machine with Node 20 or newer. Installs the dependencies if they are
// missing or differ from package-lock.json, fetches Node 24 from npm if the current Node can't run TypeScript, and then
// runs the entry point. Plain JavaScript without dependencies, because it runs before both.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInPlace } from './with-node/child.mjs';
import { installDependencies } from './with-node/dependencies.mjs';
import { boundsFor } from './with-node/heap-bounds.mjs';
import { withNodeFirst } from './with-node/npm.mjs';
import { findNode } from './with-node/runtime.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

try {
  const node = await findNode(root);
  await installDependencies(root, node);
  // Compiled TypeScript is cached: a start then costs half the CPU, and less memory.
  const env = { NODE_COMPILE_CACHE: join(root, '.cache', 'compile'), ...withNodeFirst(node) };
  const args = process.argv.slice(2);
  process.exitCode = await runInPlace(node, args, { ...env, ...boundsFor(args) });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
