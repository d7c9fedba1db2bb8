import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { accepts } from './accept.ts';

/** Below it the headers weigh more than what is saved. */
const leastBytes = 1_024;
/** Files and cryptography share the threads in which it is done: beyond this an answer goes as it is. */
const mostAtOnce = 2;
const quickly = { level: 3 };

let atOnce = 0;

/** Whether the client takes this coding by its name. */
export const takesCoding = ({ headers }: Pick<IncomingMessage, 'headers'>, coding: string): boolean =>
  accepts(headers['accept-encoding'], coding);

/** The text in gzip, for a client that takes it; undefined for a short one, and while enough others are being compressed. */
export function gzipFor(request: IncomingMessage, text: string): Promise<Buffer> | undefined {
  if (text.length < leastBytes || atOnce >= mostAtOnce || !takesCoding(request, 'gzip')) return undefined;
  atOnce += 1;
  return promisify(gzip)(text, quickly).finally(() => {
    atOnce -= 1;
  });
}

/** Bytes that do not change, in the codings of Accept-Encoding that are worth it, the best in front. */
export type Codings = readonly (readonly [coding: string, bytes: Buffer])[];

export async function codingsOf(body: Buffer): Promise<Codings> {
  if (body.length < leastBytes) return [];
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  return [
    ['br', await promisify(brotliCompress)(body, { params })],
    ['gzip', await promisify(gzip)(body)],
  ];
}
