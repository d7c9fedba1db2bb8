import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';

/**
 * Runs npm in `folder` with the Node at `node`, with its output on standard error, so that a command's own output stays
 * clean. Throws with `problem` if npm fails.
 */
export function runNpm(node, folder, args, problem) {
  const own = process.env.npm_execpath;
  const throughNode = own?.endsWith('npm-cli.js');
  const result = spawnSync(throughNode ? node : 'npm', throughNode ? [own, ...args] : args, {
    cwd: folder,
    env: withNodeFirst(node),
    stdio: ['ignore', 2, 2],
  });
  if (result.error?.code === 'ENOENT')
    throw new Error(`${problem}: npm is not on the PATH. Install it beside Node.`);
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`${problem}; what npm said stands above.`);
}

/** This process's environment, with the `node` at that path first. */
export function withNodeFirst(node) {
  return { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) };
}
