import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureChromium } from './chromium.mjs';
import { goTools } from './go-tools.mjs';
import { ensurePgDump } from './pg-dump.mjs';
import { ensureRedis } from './redis.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tools = { ...goTools, 'redis-server': ensureRedis, chromium: ensureChromium, pg_dump: ensurePgDump };

export const toolNames = Object.keys(tools);

/**
 * Installs the named programs into .cache/bin, or into `bin` for programs written in Go. Throws with advice if a
 * program isn't available.
 */
export async function ensureTools(names, bin = join(root, '.cache', 'bin')) {
  for (const name of names) {
    if (!Object.hasOwn(tools, name)) {
      throw new Error(`There is no tool named '${name}'; there are ${toolNames.join(', ')}.`);
    }
    await tools[name](root, bin);
  }
}
