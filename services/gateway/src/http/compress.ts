import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { accepts } from './accept.ts';

/** Below this size, compression saves less than its headers cost. */
const leastBytes = 1_024;
/**
 * Compression shares threads with file access and cryptography, so answers beyond this number are sent
 * uncompressed.
 */
const mostAtOnce = 2;
const quickly = { level: 3 };

let atOnce = 0;

/** Whether the client accepts this coding by name. */
export const takesCoding = ({ headers }: Pick<IncomingMessage, 'headers'>, coding: string): boolean =>
  accepts(headers['accept-encoding'], coding);

/**
 * The text as gzip; undefined if the client doesn't accept it, the text is short, or too many others are
 * being compressed.
 */
export function gzipFor(request: IncomingMessage, text: string): Promise<Buffer> | undefined {
  if (text.length < leastBytes || atOnce >= mostAtOnce || !takesCoding(request, 'gzip')) return undefined;
  atOnce += 1;
  return promisify(gzip)(text, quickly).finally(() => {
    atOnce -= 1;
  });
}

/** Constant bytes in the worthwhile codings of Accept-Encoding, best first. */
export type Codings = readonly (readonly [coding: string, bytes: Buffer])[];

export async function codingsOf(body: Buffer): Promise<Codings> {
  if (body.length < leastBytes) return [];
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  return [
    ['br', await promisify(brotliCompress)(body, { params })],
    ['gzip', await promisify(gzip)(body)],
  ];
}
