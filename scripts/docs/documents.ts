import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = new URL('../../', import.meta.url);

export interface ProjectDocument {
  /** From the project's folder: `docs/operators/README.md`. */
  path: string;
  url: URL;
}

/** The documents that speak for the project: those beside package.json, below docs, and the README of each part. */
export function documents(): ProjectDocument[] {
  const patterns = [
    '*.md',
    'docs/**/*.md',
    'services/*/README.md',
    'services/*/src/*/README.md',
    '{bench,loadtest,web}/README.md',
    'tests/*/README.md',
    'interop/vectors/*/README.md',
  ];
  return globSync(patterns, { cwd: fileURLToPath(root) })
    .sort()
    .map((path) => ({ path, url: new URL(path, root) }));
}
