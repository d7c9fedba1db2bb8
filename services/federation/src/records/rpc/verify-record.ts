import { isDeepStrictEqual } from 'node:util';
import type { Db } from '@hearth/db';
import { parseId } from '@hearth/ids';
import type { RecordsService } from '@hearth/proto/federation/v1/records';
import type { UnaryHandler } from '@hearth/rpc';
import { recordTypes, verifyRecord as verify } from '@hearth/signing';
import { documentKey } from '../../shared/domain/document-key.ts';
import type { Context } from '../context.ts';
import { findRecord } from '../db/records.ts';
import { claimsOf } from '../domain/claims.ts';

/** Verifies a record of this home. A convenience: the home's document and a JOSE library can do the same. */
export const verifyRecord =
  ({ home, clock, database, keyRing }: Context): UnaryHandler<typeof RecordsService.method.verifyRecord> =>
  async ({ record = {} }) => {
    const { listed } = keyRing.keys;
    const claims = claimsOf(record);
    const named = { home: claims.home ?? undefined, type: claims.type ?? undefined };
    if (claims.home !== null && claims.home !== home)
      return {
        ...named,
        valid: false,
        problems: ['the key of that home is not known here yet'],
      };
    const { valid, problems, kid } = verify(record, {
      expectedType: recordTypes.find((typ) => typ === claims.typ) ?? 'svc-record+jws',
      home,
      keys: listed.map(documentKey),
      now: clock.now(),
    });
    const keyStatus = listed.find((key) => key.kid === kid)?.status;
    const verdict = { ...named, kid: kid ?? undefined, keyStatus };
    if (valid && keyStatus === 'retired' && !(await isKept(database.db, record))) {
      const problem =
        'the key is retired, and this home has kept no such record: a thief of an old key writes old dates';
      return { ...verdict, valid: false, problems: [problem] };
    }
    return { ...verdict, valid, problems };
  };

/** Whether this home signed and kept just that: the moment of a record that it knows by itself. */
async function isKept(
  db: Db,
  { co_signatures, ...signed }: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const id = typeof signed['id'] === 'string' ? parseId('rec', signed['id']) : null;
  const kept = id === null ? null : await findRecord(db, id);
  return kept !== null && isDeepStrictEqual(JSON.parse(kept.json), signed);
}
