import type { Words } from '@hearth/web';
import type { PageRequest } from './page.ts';

/** The notice named in the page's query, from the page's own texts only. */
export function doneOf({ query }: PageRequest, words: Readonly<Record<string, Words>>): Words | undefined {
  const done = query.get('done') ?? '';
  return Object.hasOwn(words, done) ? words[done] : undefined;
}

/** Redirects to the page with the notice of a finished act. */
export function noticeOn(path: string, done: string): { goTo: string } {
  return { goTo: `${path}?${new URLSearchParams({ done })}` };
}
