import type { RecordsService } from '@hearth/proto/federation/v1/records';
import type { UnaryHandler } from '@hearth/rpc';
import { type RecordType, recordTypes, verifyRecord as verify } from '@hearth/signing';
import { documentKey } from '../../shared/domain/document-key.ts';
import type { Context } from '../context.ts';
import { claimsOf } from '../domain/claims.ts';

/** Verifies a record of this home. A convenience: the home's document and a JOSE library can do the same. */
export const verifyRecord =
  ({ home, keyRing }: Context): UnaryHandler<typeof RecordsService.method.verifyRecord> =>
  async ({ record = {} }) => {
    const claims = claimsOf(record);
    const named = { home: claims.home ?? undefined, type: claims.type ?? undefined };
    const invalid = (problem: string) => ({ ...named, valid: false, problems: [problem] });
    if (claims.home === null) return invalid('home is missing: it names the home whose key signed this');
    if (claims.home !== home) return invalid(`the key of the home ${claims.home} is not known here yet`);
    const expectedType = recordTypes.find((typ) => typ === claims.typ) ?? ('svc-record+jws' as RecordType);
    const listed = new Map(
      keyRing.keys.listed.filter(({ uses }) => uses.includes('record')).map((key) => [key.kid, key]),
    );
    const { valid, problems, kid } = verify(record, {
      expectedType,
      findKey: (id) => {
        const key = listed.get(id);
        return key === undefined ? null : documentKey(key);
      },
    });
    const known = kid === null ? undefined : listed.get(kid);
    return { ...named, valid, problems, kid: kid ?? undefined, keyStatus: known?.status };
  };
