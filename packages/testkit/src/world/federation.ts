import { systemRandom } from '@hearth/ids';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { HomePolicy, HomesService } from '@hearth/proto/federation/v1/homes';
import { type KeepRecordRequest, RecordsService, Verdict } from '@hearth/proto/federation/v1/records';
import {
  exportPublicJwk,
  generateKeyPair,
  type KeyPair,
  type ListedKey,
  parseStrictJson,
  type RecordType,
  signRecord,
  verifyRecord,
} from '@hearth/signing';
import { type Fake, fake } from '../fake-peers.ts';
import type { Registry } from './world.ts';

export interface Signer {
  /** The home's key. */
  readonly key: KeyPair;
  /** The home's keys as in its document. */
  readonly keys: readonly ListedKey[];
  /** By uuid: the kept records, with the signed text of each. */
  readonly records: Map<string, KeepRecordRequest & { signed: string }>;
}

/** The keys of all homes of a test, since each knows the others' keys. */
const keysOfAll: ListedKey[] = [];

/** Signs with its own key and keeps the first version of each record, as the real service does. */
export function federationFakes({ awayKeys, blockedHomes }: Pick<Registry, 'awayKeys' | 'blockedHomes'>): {
  fakes: Fake[];
  signer: Signer;
} {
  const key = generateKeyPair(systemRandom);
  const listed = { uses: ['record'], status: 'active', not_before: '2020-01-01T00:00:00Z' } as const;
  const keys = [{ ...exportPublicJwk(key), ...listed }];
  keysOfAll.push(...keys);
  const records: Signer['records'] = new Map();
  const fakes = [
    fake(RecordsService, {
      async keepRecord(request) {
        const kept = records.get(request.id);
        if (kept !== undefined) return { json: kept.signed };
        const signed = JSON.stringify(signRecord(JSON.parse(request.json), { key, typ: 'svc-record+jws' }));
        records.set(request.id, { ...request, signed });
        return { json: signed };
      },
      async checkRecord({ record: json, home }) {
        const record = JSON.parse(json) as Record<string, string>;
        const now = Date.parse(record['issued_at'] ?? '');
        if (awayKeys.has(home)) return { verdict: Verdict.UNKNOWN };
        if (Number.isNaN(now)) return { verdict: Verdict.INVALID };
        const found = { expectedType: 'svc-record+jws', home, keys: keysOfAll, now } as const;
        return { verdict: verifyRecord(record, found).valid ? Verdict.VALID : Verdict.INVALID };
      },
    }),
    fake(HomesService, {
      findHomePolicy: async ({ home }) => ({
        policy: blockedHomes.has(home) ? HomePolicy.DENIED : HomePolicy.ALLOWED,
      }),
    }),
    fake(FederationService, {
      sign: async ({ typ, json }) => ({
        signature: signRecord(parseStrictJson(json) as object, { key, typ: typ as RecordType }).signature,
      }),
      getHomeDocument: async () => ({ json: JSON.stringify({ keys: [exportPublicJwk(key)] }) }),
    }),
  ];
  return { fakes, signer: { key, keys, records } };
}
