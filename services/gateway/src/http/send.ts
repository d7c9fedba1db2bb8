import type { ServerResponse } from 'node:http';
import { gzipFor } from './compress.ts';

/** Headers as Node's writeHead takes them: name, value, name, value. */
export type HeaderList = string[];

/** Answers of the API are for the caller alone, and JSON whatever a browser may guess. */
const jsonHeaders = ['Content-Type', 'application/json', 'X-Content-Type-Options', 'nosniff'];

/** Sends a whole answer that is no JSON, in UTF-8. */
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
  if (status === 413) response.shouldKeepAlive = false;
  const bytes = Buffer.byteLength(text);
  response.writeHead(status, [
    ...jsonHeaders,
    'Content-Length',
    String(bytes),
    ...cachingOf(extra),
    ...extra,
  ]);
  // Text of plain ASCII is the same in latin1, which Node sends without looking at each character.
  const encoding = bytes === text.length ? 'latin1' : 'utf8';
  if (status === 413) endUnread(response, text, encoding);
  else response.end(text, encoding);
}

/**
 * The same in gzip where the client takes it. For answers with no secret of the home in them: beside a text that others
 * choose, the length of the whole would tell it (BREACH).
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
 * Ends an answer to a request that is not read whole, and its connection. The rest is dropped for two seconds: a
 * connection that is closed at once loses the answer, for the client is sending. `shouldKeepAlive` must be false.
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

/** Sends an answer that is all header: 204 and 304. */
export function sendEmpty(response: ServerResponse, status: number, extra: HeaderList): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, extra);
  response.end();
}
