import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A file, folder or link in an image: owned by root, without a time. */
export type Entry =
  | { type: 'folder'; mode: number }
  | { type: 'link'; target: string }
  | { type: 'file'; mode: number; from: string }
  | { type: 'file'; mode: number; bytes: Buffer };

/** A layer's files, by path without a leading slash. */
export type Tree = Map<string, Entry>;

/** Adds an entry and its parent folders to the tree. */
export function put(tree: Tree, path: string, entry: Entry): void {
  const name = posix.normalize(path).replace(/^\/+|\/+$/g, '');
  const parent = posix.dirname(name);
  if (parent !== '.' && !tree.has(parent)) put(tree, parent, { type: 'folder', mode: 0o755 });
  tree.set(name, entry);
}

export function putText(tree: Tree, path: string, text: string, mode = 0o644): void {
  put(tree, path, { type: 'file', mode, bytes: Buffer.from(text) });
}

/** Adds a file; of its mode only whether it is executable, so that no umask changes a digest. */
export function putFile(tree: Tree, path: string, from: string): void {
  put(tree, path, { type: 'file', mode: lstatSync(from).mode & 0o111 ? 0o755 : 0o644, from });
}

/** Adds a folder with everything below it that `keep` accepts, by path relative to the folder; links stay links. */
export function putFolder(tree: Tree, path: string, from: string, keep: (below: string) => boolean): void {
  const walk = (below: string) => {
    for (const name of readdirSync(join(from, below)).sort()) {
      const inside = posix.join(below, name);
      if (!keep(inside)) continue;
      const source = join(from, inside);
      const to = posix.join(path, inside);
      const found = lstatSync(source);
      if (found.isSymbolicLink()) put(tree, to, { type: 'link', target: readlinkSync(source) });
      else if (found.isDirectory()) walk(inside);
      else if (found.isFile()) putFile(tree, to, source);
    }
  };
  walk('');
}

/** The entries in write order: each after its folder. */
export function inOrder(tree: Tree): [string, Entry][] {
  return [...tree].sort(([a], [b]) => (a < b ? -1 : 1));
}
