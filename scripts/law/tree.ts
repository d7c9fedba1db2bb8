import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type Import, importsOf, peersOf, type Token, tokensOf } from './imports.ts';

export interface SourceFile {
  /** From the repository's root, with slashes: "services/groups/src/main.ts". */
  path: string;
  text: string;
  tokens: Token[];
  imports: Import[];
  peers: { service: string; line: number }[];
}

/** The repository as read by the law. */
export interface Tree {
  files: SourceFile[];
  /** All files and folders. */
  paths: Set<string>;
  /** The text of a document or package.json; null if it does not exist. */
  read(path: string): string | null;
}

const passedOver = new Set(['node_modules', 'data', 'test-results', 'gen', 'vectors', 'results']);
const isCode = (path: string) => /\.(?:ts|mjs|js)$/.test(path);

/** The repository on disk: its code, documents and package.json files. */
export function readTree(root: string): Tree {
  const texts = new Map<string, string>();
  function walk(folder: string): void {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (passedOver.has(entry.name) || entry.name.startsWith('.')) continue;
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (isCode(path) || path.endsWith('.md') || entry.name === 'package.json') {
        texts.set(path, readFileSync(join(root, path), 'utf8'));
      } else texts.set(path, '');
    }
  }
  walk('');
  return treeOf(texts);
}

export function treeOf(texts: ReadonlyMap<string, string>): Tree {
  const paths = new Set<string>();
  const files: SourceFile[] = [];
  for (const [path, text] of [...texts].sort(([one], [other]) => (one < other ? -1 : 1))) {
    for (let above = path; above !== '.'; above = posix.dirname(above)) paths.add(above);
    if (!isCode(path)) continue;
    const tokens = tokensOf(text);
    files.push({ path, text, tokens, imports: importsOf(tokens), peers: peersOf(tokens) });
  }
  return { files, paths, read: (path) => texts.get(path) ?? null };
}
