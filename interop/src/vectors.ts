import { agreementCases } from './agreement-vectors.ts';
import { federationVectors } from './federation-vectors.ts';
import type { VectorFile } from './format.ts';
import { homeDocumentCases } from './home-vectors.ts';
import { keyCases } from './key-vectors.ts';
import { allKeys, home, homeKey, listedKeys, now, robinsKey, wrensKey } from './material.ts';
import { protocolVectors } from './protocol-vectors.ts';
import { sequenceCases } from './sequence-vectors.ts';
import { cardCases, envelopeCases, recordCases } from './signed-vectors.ts';
import { textCases } from './text-vectors.ts';

/** Builds our files of interop/vectors, by path. The result is deterministic, because Ed25519 is. */
export function buildVectors(): Record<string, string> {
  const seedsOf = (keys: typeof allKeys) =>
    keys.map(({ name, seedHex, pair }) => ({ name, kid: pair.kid, seed_hex: seedHex }));
  const seeds = seedsOf(allKeys);
  const signed = (about: string, cases: unknown[]): VectorFile<unknown> => ({
    about,
    home,
    now,
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
    'agreements.json': {
      about:
        'Records of agreements (docs/protocol/agreements.md) and the signatures of sides by keys of their own, which their cards list.',
      home,
      now,
      seeds: seedsOf([homeKey, robinsKey, wrensKey]),
      keys: listedKeys,
      cases: agreementCases(),
    },
    'home-documents.json': {
      about: 'Home documents, each by itself: typ svc-home+jws, verified with the keys that they list.',
      home,
      now,
      seeds,
      cases: homeDocumentCases(),
    },
    'home-sequences.json': {
      about:
        'Home documents as a reader gets them one after the other, and what becomes of the one that is kept.',
      home,
      seeds,
      cases: sequenceCases(),
    },
    'json.json': {
      about: 'The JSON profile of signed objects, and the canonical text and digest.',
      cases: textCases(),
    },
    'keys.json': {
      about: 'Ed25519 public keys as JWK: taken, or refused before anything is verified.',
      cases: keyCases(),
    },
  };
  const all = [
    ...Object.entries(files).map(([name, file]) => [`records/${name}`, file] as const),
    ...Object.entries(protocolVectors()).map(([name, file]) => [`protocol/${name}`, file] as const),
    ...Object.entries(federationVectors()).map(([name, file]) => [`federation/${name}.json`, file] as const),
  ];
  return Object.fromEntries(all.map(([path, file]) => [path, `${JSON.stringify(file, null, 2)}\n`]));
}
