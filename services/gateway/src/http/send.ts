import type { ServerResponse } from 'node:http';

/** Headers as Node's writeHead takes them: name, value, name, value. */
export type HeaderList = string[];

/** Answers of the API are for the caller alone, and JSON whatever a browser may guess. */
const jsonHeaders = ['Content-Type', 'application/json', 'X-Content-Type-Options', 'nosniff'];

/**
 * Sends a whole JSON answer. `extra` may name Cache-Control; without it no cache may keep the answer. Does nothing
 * when the client went away or was answered already.
 */
export function sendJson(
  response: ServerResponse,
  status: number,
  text: string,
  extra: HeaderList = [],
): void {
  if (response.headersSent || response.destroyed) return;
  const caching = extra.includes('Cache-Control') ? [] : ['Cache-Control', 'no-store'];
  const bytes = Buffer.byteLength(text);
  response.writeHead(status, [...jsonHeaders, 'Content-Length', String(bytes), ...caching, ...extra]);
  // Text of plain ASCII is the same in latin1, which Node sends without looking at each character.
  response.end(text, bytes === text.length ? 'latin1' : 'utf8');
}

/** Sends an answer that is all header: 204 and 304. */
export function sendEmpty(response: ServerResponse, status: number, extra: HeaderList): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, extra);
  response.end();
}
