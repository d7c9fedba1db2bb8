import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { runNpm } from './npm.mjs';

/**
 * Whether the installed packages (npm's record in node_modules) match package-lock.json. Compares contents, not times,
 * because git and people touch files without changing them. Optional packages, such as builds for other platforms, may
 * be missing; with `production`, development packages too.
 */
export function isInstalled(wanted, installed, { production = false } = {}) {
  return Object.entries(wanted.packages).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed.packages[path];
    if (found === undefined)
      return Boolean(entry.optional || (production && (entry.dev || entry.devOptional)));
    return entry.link
      ? found.link === true && found.resolved === entry.resolved
      : found.version === entry.version;
  });
}

/** Installs the dependencies in package-lock.json with the Node at `node`, unless installed already. */
export async function installDependencies(root, node) {
  const missing = () => !isInstalled(readLock(root), readInstalled(root), { production: isProduction() });
  if (!missing()) return;
  mkdirSync(join(root, '.cache'), { recursive: true });
  await withLock(join(root, '.cache', 'install.lock'), 'installs the dependencies', async () => {
    if (!missing()) return;
    console.error('Installing the dependencies (npm ci).');
    runNpm(node, root, ['ci', '--no-audit', '--no-fund'], 'The dependencies could not be installed');
  });
}

function readLock(root) {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
}

function readInstalled(root) {
  try {
    return JSON.parse(readFileSync(join(root, 'node_modules', '.package-lock.json'), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return { packages: {} };
    throw error;
  }
}

function isProduction() {
  return process.env.NODE_ENV === 'production' || /\bdev\b/.test(process.env.npm_config_omit ?? '');
}
