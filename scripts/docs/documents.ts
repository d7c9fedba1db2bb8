import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = new URL('../../', import.meta.url);

export interface ProjectDocument {
  /** Relative to the project's folder: `docs/operators/README.md`. */
  path: string;
  url: URL;
}

/** The project's documents: next to package.json, below docs, and each part's README. */
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
