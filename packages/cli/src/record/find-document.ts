import type { Deps } from '../deps.ts';
import { Failure, UsageError } from '../failure.ts';
import { type HomeDocument, maxDocumentBytes, readHomeDocument } from './home-document.ts';

type Around = Pick<Deps, 'clock' | 'fetch' | 'readInput'>;

const path = '/.well-known/service.json';
const timeoutMs = 10_000;
const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Loads a home's document from a file, which is trusted, or from a URL.
 *
 * @param given a file, or the URL of the document or of its home
 * @throws UsageError for a bad file or URL; Failure if it can't be fetched or isn't a document
 */
export async function findDocument(given: string, deps: Around): Promise<HomeDocument> {
  if (!/^https?:/i.test(given)) {
    return readHomeDocument(await deps.readInput(given, maxDocumentBytes), given, deps.clock.now());
  }
  const document = await fetchDocument(addressOf(given), deps);
  const { host, protocol } = new URL(document.source);
  // TLS proves only the name in the URL. For any other home, the document would vouch for itself.
  if (protocol === 'https:' && document.home !== host) {
    throw new Failure(
      `${document.source} serves the document of another home, ${document.home}; to trust it anyway, save it and use --home with the file`,
    );
  }
  return document;
}

/** Loads the document of the operator's own home, whatever its name. */
export async function findOwnDocument(site: string, deps: Around): Promise<HomeDocument> {
  return await fetchDocument(addressOf(site), deps);
}

function addressOf(given: string): URL {
  const url = URL.parse(given);
  if (url === null || url.username !== '' || url.password !== '') {
    throw new UsageError(
      `--home is "${given}"; expected a file, or a URL such as https://home.example${path}`,
    );
  }
  if (url.protocol === 'http:' && !loopback.has(url.hostname)) {
    throw new UsageError(
      `${given} doesn't use https, so the keys could be replaced on the way; use https, or --home with a file`,
    );
  }
  if (url.pathname === '/') url.pathname = path;
  url.hash = '';
  return url;
}

async function fetchDocument(url: URL, { clock, fetch }: Around): Promise<HomeDocument> {
  const refuse = (why: string) => new Failure(`cannot fetch the home's document from ${url.href}: ${why}`);
  let bytes: Uint8Array;
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      // The operator decides about any other address.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw refuse(`HTTP status ${response.status}`);
    }
    bytes = await readBounded(response, refuse);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const { name, cause } = error as Error & { cause?: { code?: string } };
    if (name === 'TimeoutError') throw refuse(`no response within ${timeoutMs / 1_000} seconds`);
    throw refuse(`no server is running there (${cause?.code ?? name})`);
  }
  const document = readHomeDocument(bytes, url.href, clock.now());
  if (document.outdated) {
    throw refuse(`it expired at ${document.valid_until}; an old copy is being served, or a clock is wrong`);
  }
  return document;
}

async function readBounded(response: Response, refuse: (why: string) => Failure): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxDocumentBytes) throw refuse(`it is larger than ${maxDocumentBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
