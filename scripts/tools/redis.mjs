import { join } from 'node:path';
import { ensureFromDebian } from './debian.mjs';

/** Puts redis-server into .cache/bin unless it is on the PATH. */
export async function ensureRedis(root) {
  await ensureFromDebian(root, {
    name: 'redis-server',
    packages: ['redis-server'],
    program: join('usr', 'bin', 'redis-server'),
    elsewhere: 'Install 6.2 or newer, for example with `brew install redis` or `dnf install redis`.',
  });
}
