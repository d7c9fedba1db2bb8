import type { IncomingMessage } from 'node:http';
import type { Host } from '@hearth/runtime';
import type { Frame } from '@hearth/web';

/** The frame of a page whose reader isn't looked up: in the language of their browser. */
export function visitorFrame(
  { config: { home }, languages }: Pick<Host, 'config' | 'languages'>,
  { headers }: Pick<IncomingMessage, 'headers'>,
): Frame {
  return { language: languages.of({ accepts: headers['accept-language'] }), home, csrf: '' };
}
