import type { IncomingMessage } from 'node:http';
import { accepts } from './accept.ts';
import { splitTarget } from './paths.ts';

/** Paths that never show pages, whatever the client accepts. */
const forPrograms = ['/v0', '/.well-known', '/oauth', '/mcp'];

/** Whether a person's browser sent the request: only browsers accept HTML by name. */
export function asksForPage({ url, headers }: Pick<IncomingMessage, 'url' | 'headers'>): boolean {
  const { path } = splitTarget(url ?? '');
  if (forPrograms.some((root) => path === root || path.startsWith(`${root}/`))) return false;
  return accepts(headers.accept, 'text/html');
}
