import { isHearthError } from '@hearth/errors';
import { type GuardedHttp, OutboundError } from '@hearth/guarded-http';
import { type JsonValue, parseStrictJson } from '@hearth/signing';
import { originOf } from '../domain/endpoint.ts';

/** The step of a fetch that failed. */
export type FetchStep = 'address' | 'tls' | 'document';

/** An unchecked document, or a sentence that says why there is none. */
export type Fetched =
  | { document: JsonValue; bytes: number; cacheControl: string | undefined; date: string | undefined }
  | { failure: string; step: FetchStep };

const path = '/.well-known/service.json';
const maxBytes = 65_536;
const timeoutMs = 10_000;

export interface FetchedBy {
  http: Pick<GuardedHttp, 'request'>;
  devHomes: readonly string[];
}

/** Fetches a home's document from a public address: at most 64 KiB, no redirects, 5 s to connect and 10 s in all. */
export async function fetchDocument(home: string, { http, devHomes }: FetchedBy): Promise<Fetched> {
  const url = `${originOf(home, devHomes)}${path}`;
  try {
    const answer = await http.request({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
      timeoutMs,
      maxResponseBytes: maxBytes,
    });
    if (answer.status !== 200) return { failure: statusWords(url, answer.status), step: 'document' };
    const { 'cache-control': cacheControl, date } = answer.headers;
    const document = parseStrictJson(answer.body, { maxBytes });
    return { document, bytes: Buffer.byteLength(answer.body), cacheControl, date };
  } catch (error) {
    if (!isHearthError(error)) throw error;
    return { failure: error.message, step: stepOf(error) };
  }
}

function stepOf(error: unknown): FetchStep {
  if (!(error instanceof OutboundError) || error.status !== undefined) return 'document';
  return error.category === 'tls' ? 'tls' : 'address';
}

function statusWords(url: string, status: number): string {
  if (status >= 300 && status < 400)
    return `${url} leads elsewhere (status ${status}), and no redirect is followed`;
  return `${url} answered with status ${status}`;
}
