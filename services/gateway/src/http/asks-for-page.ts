import type { IncomingMessage } from 'node:http';
import { accepts } from './accept.ts';
import { splitTarget } from './paths.ts';

/** Paths for programs alone, whatever they accept. */
const forPrograms = ['/v0', '/.well-known', '/oauth', '/mcp'];

/** Whether a person asks with a browser: browsers alone say by name that they take HTML. */
export function asksForPage({ url, headers }: Pick<IncomingMessage, 'url' | 'headers'>): boolean {
  const { path } = splitTarget(url ?? '');
  if (forPrograms.some((root) => path === root || path.startsWith(`${root}/`))) return false;
  return accepts(headers.accept, 'text/html');
}
