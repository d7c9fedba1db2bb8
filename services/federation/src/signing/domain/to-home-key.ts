import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type HomeKeySchema, HomeKeyStatus } from '@hearth/proto/federation/v1/keys';
import type { KeyRow } from '../db/keys.ts';

const statuses = {
  active: HomeKeyStatus.ACTIVE,
  next: HomeKeyStatus.NEXT,
  retired: HomeKeyStatus.RETIRED,
  revoked: HomeKeyStatus.REVOKED,
} as const;

/** Returns a key as the operator sees it. */
export function toHomeKey(
  key: KeyRow,
  changesAt: Date | null = null,
): MessageInitShape<typeof HomeKeySchema> {
  const { kid, uses, notBefore, notAfter, revokedAt } = key;
  return {
    kid,
    uses,
    status: statuses[key.status],
    notBefore: timestampFromDate(notBefore),
    ...(notAfter !== null && { notAfter: timestampFromDate(notAfter) }),
    ...(revokedAt !== null && { revokedAt: timestampFromDate(revokedAt) }),
    ...(changesAt !== null && { changesAt: timestampFromDate(changesAt) }),
  };
}
