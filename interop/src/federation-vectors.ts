import { equalityDigest } from '@hearth/federation/log/item';
import type { JsonObject } from '@hearth/signing';
import type { FederationVectors, VectorHome } from './federation-judge.ts';
import { itemCases, kinds, operations } from './item-vectors.ts';
import { answerCases, conversationCases, pushCases } from './log-vectors.ts';
import { allKeys, home, listed, listedKeys, now, strangerKey } from './material.ts';
import { reader, requestCases } from './request-vectors.ts';
import { stateCases } from './state-vectors.ts';

const homes: Record<string, VectorHome> = {
  [home]: { endpoint: `https://${home}/federation`, keys: listedKeys },
  [reader.home]: { endpoint: reader.endpoint, keys: [listed(strangerKey)] },
};
const seeds = allKeys.map(({ name, seedHex, pair }) => ({ name, kid: pair.kid, seed_hex: seedHex }));

/** Requests, items, the log and conversations between two homes. */
export function federationVectors(): FederationVectors {
  const items = itemCases().map((item) =>
    item.status === 'ok'
      ? { ...item, digest: equalityDigest(structuredClone(item.item) as JsonObject).toString('hex') }
      : item,
  );
  return {
    requests: {
      about: 'Requests of home.example as other.example reads them (docs/protocol/requests.md).',
      ...{ now, homes, seeds, cases: requestCases() },
    },
    items: {
      about:
        'Items of home.example as other.example weighs them, each by itself (docs/protocol/items.md): `kinds` of states and `operations` of acts are those that it knows.',
      ...{ now, homes, seeds, kinds, operations, cases: items },
    },
    states: {
      about:
        'Objects of states of home.example, each in a good item with that `id`, as other.example reads them by themselves (docs/protocol/items.md).',
      ...{ now, homes, seeds, cases: stateCases() },
    },
    log: {
      about:
        'Bodies of pushes of home.example as other.example reads them, and what answers mean for their sender (docs/protocol/log.md).',
      ...{ now, homes, seeds, cases: [], pushes: pushCases(), answers: answerCases() },
    },
    conversations: {
      about:
        'Requests one after the other, byte for byte, with their answers. Each begins with homes that hold nothing of one another.',
      ...{ now, homes, seeds, kinds, operations, cases: conversationCases() },
    },
  };
}
