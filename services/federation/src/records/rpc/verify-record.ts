import type { RecordsService } from '@hearth/proto/federation/v1/records';
import type { UnaryHandler } from '@hearth/rpc';
import { type ListedKey, type RecordType, recordTypes, verifyRecord as verify } from '@hearth/signing';
import type { RecordsContext } from '../../signing/context.ts';
import { claimsOf } from '../domain/claims.ts';

/** Verifies a record of this home. A convenience: anybody can do it with the home's document and a JOSE library. */
export function verifyRecord({
  home,
  keyRing,
}: RecordsContext): UnaryHandler<typeof RecordsService.method.verifyRecord> {
  return async ({ record = {} }) => {
    const claims = claimsOf(record);
    const named = {
      home: claims.home ?? undefined,
      type: claims.type ?? undefined,
    };
    if (claims.home === null) {
      return {
        ...named,
        valid: false,
        problems: ['home is missing: it names the home whose key signed this'],
      };
    }
    if (claims.home !== home) {
      return {
        ...named,
        valid: false,
        problems: [`the key of the home ${claims.home} is not known here yet`],
      };
    }
    const expectedType = recordTypes.find((typ) => typ === claims.typ) ?? ('svc-record+jws' as RecordType);
    const listed = new Map(keyRing.listed.map((key) => [key.kid, key]));
    const { valid, problems, kid } = verify(record, {
      expectedType,
      findKey: (id): ListedKey | null => {
        const key = listed.get(id);
        return key === undefined ? null : toListed(key);
      },
    });
    const known = kid === null ? undefined : listed.get(kid);
    return { ...named, valid, problems, kid: kid ?? undefined, keyStatus: known?.status };
  };
}

function toListed(key: RecordsContext['keyRing']['listed'][number]): ListedKey {
  const { kid, x, status, notBefore, notAfter, revokedAt } = key;
  return {
    kid,
    kty: 'OKP',
    crv: 'Ed25519',
    x,
    status,
    not_before: notBefore.toISOString(),
    ...(notAfter !== null && { not_after: notAfter.toISOString() }),
    ...(revokedAt !== null && { revoked_at: revokedAt.toISOString() }),
  };
}
