import { holds } from '../http/etag.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendEmpty } from '../http/send.ts';

/** A text that is the same for everybody. */
export interface Document {
  type: string;
  text: string;
  /** Quoted, as the header has it. */
  etag: string;
  /** For how long anybody may keep it, in seconds. */
  maxAgeSeconds: number;
}

const frame = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

export function sendDocument(
  { request, response }: Exchange,
  { type, text, etag, maxAgeSeconds }: Document,
): void {
  const caching = ['ETag', etag, 'Cache-Control', `public, max-age=${maxAgeSeconds}`];
  if (holds(etag, request.headers['if-none-match'])) return void sendEmpty(response, 304, caching);
  if (response.headersSent || response.destroyed) return;
  const length = String(Buffer.byteLength(text));
  const security = [
    'X-Content-Type-Options',
    'nosniff',
    ...(type.startsWith('text/html') ? ['Content-Security-Policy', frame] : []),
  ];
  response.writeHead(200, ['Content-Type', type, 'Content-Length', length, ...security, ...caching]);
  response.end(text);
}
