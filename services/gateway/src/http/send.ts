import type { ServerResponse } from 'node:http';
import { gzipFor } from './compress.ts';

/** Headers as Node's writeHead takes them: names and values alternately. */
export type HeaderList = string[];

/** API answers are private to the caller, and JSON whatever a browser may guess. */
const jsonHeaders = ['Content-Type', 'application/json', 'X-Content-Type-Options', 'nosniff'];

/** Sends a complete answer other than JSON, in UTF-8. */
export function sendText(
  response: ServerResponse,
  status: number,
  mediaType: string,
  text: string,
  extra: HeaderList,
): void {
  if (response.headersSent || response.destroyed) return;
  const type = ['Content-Type', `${mediaType}; charset=utf-8`, 'X-Content-Type-Options', 'nosniff'];
  const length = ['Content-Length', String(Buffer.byteLength(text))];
  response.writeHead(status, [...type, ...length, ...cachingOf(extra), ...extra]).end(text);
}

/**
 * Sends a complete JSON answer. Without Cache-Control in `extra`, no cache may store it. Does nothing if the
 * client disconnected or already has an answer.
 */
export function sendJson(
  response: ServerResponse,
  status: number,
  text: string,
  extra: HeaderList = [],
): void {
  if (response.headersSent || response.destroyed) return;
  if (status === 413) response.shouldKeepAlive = false;
  const bytes = Buffer.byteLength(text);
  response.writeHead(status, [
    ...jsonHeaders,
    'Content-Length',
    String(bytes),
    ...cachingOf(extra),
    ...extra,
  ]);
  // Plain ASCII is the same in latin1, which Node sends without examining each character.
  const encoding = bytes === text.length ? 'latin1' : 'utf8';
  if (status === 413) endUnread(response, text, encoding);
  else response.end(text, encoding);
}

/**
 * `sendJson` with gzip if the client accepts it. Only for answers without secrets of the home: next to text
 * that others choose, the compressed length would leak them (BREACH).
 */
export function sendLongJson(
  response: ServerResponse,
  status: number,
  text: string,
  extra: HeaderList = [],
): void {
  const packing = gzipFor(response.req, text);
  if (packing === undefined) return void sendJson(response, status, text, extra);
  response.statusCode = status;
  packing.then(
    (bytes) => {
      if (response.headersSent || response.destroyed) return;
      const length = ['Content-Encoding', 'gzip', 'Content-Length', String(bytes.length)];
      response.writeHead(status, [...jsonHeaders, ...length, ...cachingOf(extra), ...extra]).end(bytes);
    },
    () => sendJson(response, status, text, extra),
  );
}

const cachingOf = (extra: HeaderList) =>
  extra.includes('Cache-Control') ? [] : ['Cache-Control', 'no-store'];

const unreadMs = 2_000;

/**
 * Ends an answer to a request that was not completely read, and its connection. Drops the rest for two
 * seconds: closing at once would lose the answer, because the client is still sending. `shouldKeepAlive` must
 * be false.
 */
export function endUnread(response: ServerResponse, text: string, encoding: BufferEncoding): void {
  const { req: request } = response;
  if (request.complete) return void response.end(text, encoding);
  response.write(text, encoding);
  const end = () => {
    clearTimeout(late);
    response.end();
  };
  const late = setTimeout(end, unreadMs).unref();
  request.once('end', end).once('close', end).resume();
}

/** Sends an answer without a body: 204 and 304. */
export function sendEmpty(response: ServerResponse, status: number, extra: HeaderList): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, extra);
  response.end();
}
