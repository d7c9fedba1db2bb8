import type { IncomingMessage } from 'node:http';
import { publicPageHeaders } from '@hearth/web';
import { type Codings, type Exchange, holds, sendEmpty, takesCoding } from '../http/module.ts';

/** A document that is the same for all readers, or for all of one language. */
export interface Document {
  type: string;
  /** BCP 47; absent if the document is the same in every language. */
  language?: string;
  /** Shared by all slow readers. */
  body: Buffer;
  /** Quoted, as in the header. */
  etag: string;
  /** The compressed bytes, if the document doesn't change. */
  codings?: Codings;
  /** How long caches may keep it, in seconds. */
  maxAgeSeconds: number;
}

/** Lets scripts of any page read documents that are the same for all readers. */
const forAnyPage = ['Access-Control-Allow-Origin', '*'];

/** The answer to a CORS preflight, which browsers send because of the headers of MCP clients. */
export const documentPreflight: readonly string[] = [
  ...forAnyPage,
  'Access-Control-Allow-Methods',
  'GET',
  'Access-Control-Allow-Headers',
  'Accept, Content-Type, If-None-Match, MCP-Protocol-Version',
  'Access-Control-Max-Age',
  '7200',
];

export function sendDocument(
  { request, response }: Exchange,
  { type, language, body, etag, codings = [], maxAgeSeconds }: Document,
): void {
  const isPage = type.startsWith('text/html');
  const caching = ['ETag', etag, 'Cache-Control', `public, max-age=${maxAgeSeconds}`];
  if (!isPage) caching.push(...forAnyPage);
  const packed = choose(request, codings);
  caching.push(...packed.vary);
  if (language !== undefined) caching.push('Vary', 'Accept-Language', 'Content-Language', language);
  if (holds(etag, request.headers['if-none-match'])) return void sendEmpty(response, 304, caching);
  if (response.headersSent || response.destroyed) return;
  const headers = isPage ? publicPageHeaders() : ['Content-Type', type, 'X-Content-Type-Options', 'nosniff'];
  const bytes = packed.bytes ?? body;
  response.writeHead(200, [...headers, ...packed.coding, 'Content-Length', String(bytes.length), ...caching]);
  response.end(bytes);
}

/** The best coding that the client accepts, with its headers. */
export function choose(request: IncomingMessage, codings: Codings) {
  const [coding, bytes] = codings.find(([name]) => takesCoding(request, name)) ?? [];
  return {
    bytes,
    coding: coding === undefined ? [] : ['Content-Encoding', coding],
    vary: codings.length === 0 ? [] : ['Vary', 'Accept-Encoding'],
  };
}
