import { isHearthError } from '@hearth/errors';
import { isJsonObject, type ListedKey, parseStrictJson, readHomeDocument as read } from '@hearth/signing';
import { Failure } from '../failure.ts';
import { plain } from '../plain.ts';

/** The maximum size of a home's document. */
export const maxDocumentBytes = 65_536;

/** A checked home document, whose keys verify the home's records. */
export interface HomeDocument {
  /** The file or URL. */
  source: string;
  /** The home's name. */
  home: string;
  issued_at: string;
  valid_until: string;
  /** Whether it had expired when it was read. */
  outdated: boolean;
  keys: readonly ListedKey[];
}

/**
 * Reads a home's document and checks the home's own signature.
 *
 * @param now milliseconds since 1970
 * @throws Failure if it isn't a document, or isn't signed by a key that it lists
 */
export function readHomeDocument(bytes: Uint8Array, source: string, now: number): HomeDocument {
  const refuse = (why: string) => new Failure(`${source} is not a home's document: ${plain(why)}`);
  const document = parse(bytes, refuse);
  const { home } = isJsonObject(document) ? document : {};
  if (typeof home !== 'string' || home === '') throw refuse('it does not name its home');
  const found = read(document, { home, now });
  if (typeof found === 'string') throw refuse(found);
  const { issued_at, valid_until, keys } = found.document;
  return { source, home, issued_at, valid_until, outdated: found.lapsed, keys };
}

function parse(bytes: Uint8Array, refuse: (why: string) => Failure): unknown {
  try {
    return parseStrictJson(bytes, { maxBytes: maxDocumentBytes });
  } catch (thrown) {
    if (!isHearthError(thrown)) throw thrown;
    throw refuse(thrown.message);
  }
}
