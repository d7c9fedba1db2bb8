import type { VectorFile } from './format.ts';
import { homeDocumentCases } from './home-vectors.ts';
import { keyCases } from './key-vectors.ts';
import { allKeys, listedKeys } from './material.ts';
import { cardCases, envelopeCases, recordCases } from './signed-vectors.ts';
import { textCases } from './text-vectors.ts';

/** Every file of interop/vectors/records by its name. The same text each time: Ed25519 has no chance in it. */
export function buildVectors(): Record<string, string> {
  const seeds = allKeys.map(({ name, seedHex, pair }) => ({ name, kid: pair.kid, seed_hex: seedHex }));
  const signed = (about: string, cases: unknown[]): VectorFile<unknown> => ({
    about,
    seeds,
    keys: listedKeys,
    cases,
  });
  const files: Record<string, VectorFile<unknown>> = {
    'cards.json': signed('Cards: typ svc-card+jws, signature in `signature`.', cardCases()),
    'records.json': signed('Signed answers: typ svc-record+jws, signature in `signature`.', recordCases()),
    'envelopes.json': signed(
      'Items between homes: typ svc-envelope+jws, signature in `signature`.',
      envelopeCases(),
    ),
    'home-documents.json': signed(
      'Home documents: typ svc-home+jws, one signature for each active key in `signatures`.',
      homeDocumentCases(),
    ),
    'json.json': {
      about: 'The JSON profile of signed objects, and the canonical text and digest.',
      cases: textCases(),
    },
    'keys.json': {
      about: 'Ed25519 public keys as JWK: taken, or refused before anything is verified.',
      cases: keyCases(),
    },
  };
  return Object.fromEntries(
    Object.entries(files).map(([name, file]) => [name, `${JSON.stringify(file, null, 2)}\n`]),
  );
}
