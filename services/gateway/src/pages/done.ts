import type { Words } from '@hearth/web';
import type { PageRequest } from './page.ts';

/** The notice of a page by the word in its query, from its own texts alone. */
export function doneOf({ query }: PageRequest, words: Readonly<Record<string, Words>>): Words | undefined {
  const done = query.get('done') ?? '';
  return Object.hasOwn(words, done) ? words[done] : undefined;
}

/** The page, saying that something was done. */
export function noticeOn(path: string, done: string): { goTo: string } {
  return { goTo: `${path}?${new URLSearchParams({ done })}` };
}
