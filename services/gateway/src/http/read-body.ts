import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { badRequest, HearthError } from '@hearth/errors';
import { maxRecordValues, parseStrictJson } from '@hearth/signing';
import { askForBody } from './expect.ts';

/** Whether the request has a body that is not empty. */
export function hasBody(request: IncomingMessage): boolean {
  const { headers } = request;
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = headers['content-length'];
  return length !== undefined && length !== '0';
}

/** Counts the bytes of a body before it is parsed; throws once its caller has sent too many. */
export type WeighBody = (bytes: number) => Promise<void>;

/**
 * The most members and elements of a body, at all levels together: as many as the largest record has, and
 * some around it.
 */
const maxBodyValues = maxRecordValues + 100;

/**
 * The JSON of a request's body; undefined if it is empty. Throws `too_large` (413) above `maxBytes`, and
 * bad_request (code bad_json) for another content type, invalid UTF-8, and ambiguous JSON.
 */
export async function readJsonBody(
  request: IncomingMessage,
  maxBytes: number,
  weigh: WeighBody,
): Promise<unknown> {
  if (hasBody(request)) checkContentType(request.headers['content-type']);
  const bytes = await readBytes(request, maxBytes, weigh);
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw badJson('the body is not UTF-8');
  const text = bytes.toString();
  // Tools on Windows prepend a byte order mark.
  const limits = { maxBytes, maxValues: maxBodyValues, floats: true };
  return parseStrictJson(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text, limits);
}

const json = /^application\/(?:json|[a-z0-9.-]+\+json)\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?$/i;

/**
 * Requires a JSON type: with other types, or none, a page of another origin could make a browser send it
 * without a preflight.
 */
function checkContentType(type = ''): void {
  if (type === 'application/json' || json.test(type)) return;
  throw badJson(
    `send the body as JSON in UTF-8 with "Content-Type: application/json"; got "${type.slice(0, 100)}"`,
  );
}

/** The bytes of a body. Throws `too_large` (413) above `maxBytes`, and as `weigh` does. */
export async function readBytes(
  request: IncomingMessage,
  maxBytes: number,
  weigh: WeighBody,
): Promise<Buffer> {
  const bytes = await takeBytes(request, maxBytes);
  await weigh(bytes.length);
  return bytes;
}

function takeBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > maxBytes) return Promise.reject(tooLarge(maxBytes));
  if (
    request.headers['content-encoding'] !== undefined &&
    request.headers['content-encoding'] !== 'identity'
  ) {
    return Promise.reject(badJson('send the body without Content-Encoding'));
  }
  askForBody(request);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // `endUnread` reads and drops the rest.
      if (size > maxBytes) reject(tooLarge(maxBytes));
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    const cut = () => {
      // A request also closes after a good end, and an unused error would still cost its stack.
      if (!request.readableEnded) reject(badRequest('the body did not arrive whole', { code: 'bad_json' }));
    };
    request.on('error', cut);
    request.on('close', cut);
  });
}

function badJson(message: string): HearthError {
  return badRequest(message, { code: 'bad_json' });
}

function tooLarge(maxBytes: number): HearthError {
  return new HearthError('too_large', `the body is larger than the ${maxBytes} bytes taken here`, {
    code: 'too_large',
  });
}
