import { publicPageHeaders } from '@hearth/web';
import { type Exchange, holds, sendEmpty } from '../http/module.ts';

/** A text that is the same for all readers. */
export interface Document {
  type: string;
  /** Bytes, which all who are slow to read it share. */
  body: Buffer;
  /** Quoted, as the header has it. */
  etag: string;
  /** How long caches may keep it, in seconds. */
  maxAgeSeconds: number;
}

export function sendDocument(
  { request, response }: Exchange,
  { type, body, etag, maxAgeSeconds }: Document,
): void {
  const caching = ['ETag', etag, 'Cache-Control', `public, max-age=${maxAgeSeconds}`];
  if (holds(etag, request.headers['if-none-match'])) return void sendEmpty(response, 304, caching);
  if (response.headersSent || response.destroyed) return;
  const length = String(body.length);
  const headers = type.startsWith('text/html')
    ? publicPageHeaders()
    : ['Content-Type', type, 'X-Content-Type-Options', 'nosniff'];
  response.writeHead(200, [...headers, 'Content-Length', length, ...caching]);
  response.end(body);
}
