import { passagesOfComments } from './comments.ts';
import { passagesOfMarkdown } from './markdown.ts';
import { passagesOfCatalogue } from './messages.ts';
import type { Passage } from './passages.ts';

export type Kind = 'document' | 'catalogue' | 'comment';

const patterns: readonly [Kind, RegExp][] = [
  ['document', /^(?:docs\/.*|[A-Z]+|.*\/README)\.md$/],
  ['catalogue', /^packages\/i18n\/catalogues\/en\/[^/]*\.json$/],
  ['comment', /\.(?:ts|mjs|js|proto)$/],
];

/** The kind of a checked file; null for other files. */
export const kindOf = (path: string): Kind | null =>
  patterns.find(([, pattern]) => pattern.test(path))?.[0] ?? null;

export const readers: Readonly<Record<Kind, (path: string, text: string) => Passage[]>> = {
  document: passagesOfMarkdown,
  catalogue: passagesOfCatalogue,
  comment: passagesOfComments,
};
