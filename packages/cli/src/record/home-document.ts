import { isHearthError } from '@hearth/errors';
import { isJsonObject, type ListedKey, parseStrictJson, readHomeDocument as read } from '@hearth/signing';
import { Failure } from '../failure.ts';
import { plain } from '../plain.ts';

/** The most bytes of a home's document that are taken. */
export const maxDocumentBytes = 65_536;

/** A home's document, checked; its keys verify the records of that home. */
export interface HomeDocument {
  /** The file or the address. */
  source: string;
  /** The home's name. */
  home: string;
  issued_at: string;
  valid_until: string;
  /** Its time had passed when it was read. */
  outdated: boolean;
  keys: readonly ListedKey[];
}

/**
 * Reads a home's document and checks that the home itself signed it.
 *
 * @param now milliseconds since 1970
 * @throws Failure for what is no document, or not signed by a key that it lists
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
