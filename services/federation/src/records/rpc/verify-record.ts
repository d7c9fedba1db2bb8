import { isDeepStrictEqual } from 'node:util';
import type { Db } from '@hearth/db';
import { badField, isHearthError } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import { type RecordsService, Verdict } from '@hearth/proto/federation/v1/records';
import type { UnaryHandler } from '@hearth/rpc';
import {
  type Fault,
  isJsonObject,
  type JsonObject,
  maxRecordBytes,
  maxRecordValues,
  parseStrictJson,
  verifyRecord as verify,
} from '@hearth/signing';
import { documentKey } from '../../shared/domain/document-key.ts';
import { type Claims, claimsOf } from '../actions/claims.ts';
import { typeOf, verifyOther } from '../actions/verify-other.ts';
import type { Context } from '../context.ts';
import { findRecord } from '../db/records.ts';
import { verdictOn } from '../domain/verdict.ts';

/** Verifies a record or card of any home. A convenience: a JOSE library and that home's document can do the same. */
export const verifyRecord =
  (context: Context): UnaryHandler<typeof RecordsService.method.verifyRecord> =>
  async (request, { caller }) => {
    const record = readRecord(request.record);
    const claims = claimsOf(record);
    const named = { home: claims.home ?? undefined, type: claims.type ?? undefined };
    const isOwn = claims.home === null || claims.home === context.home;
    const found = isOwn
      ? await verifyOwn(context, record, claims)
      : await verifyOther(context, record, { ...claims, home: claims.home! }, caller.network);
    return { ...named, ...found, valid: found.verdict === Verdict.VALID };
  };

function readRecord(json: string): JsonObject {
  try {
    const limits = { maxBytes: maxRecordBytes, maxValues: maxRecordValues, floats: true };
    const record = parseStrictJson(json, limits);
    if (isJsonObject(record)) return record;
  } catch (error) {
    if (!isHearthError(error)) throw error;
    throw badField('record', `cannot be read: ${error.message}`);
  }
  throw badField('record', 'must be an object');
}

async function verifyOwn({ home, clock, database, keyRing }: Context, record: JsonObject, claims: Claims) {
  const { listed } = keyRing.keys;
  const keys = listed.map(documentKey);
  const found = verify(record, { expectedType: typeOf(claims), home, keys, now: clock.now() });
  const answer = verdictOn(found, { keys });
  if (found.valid && answer.keyStatus === 'retired' && !(await isKept(database.db, record))) {
    const problem =
      'the key is retired, and this home has kept no such record: a thief of an old key writes old dates';
    const faults: Fault[] = ['not_kept'];
    return { ...answer, verdict: Verdict.INVALID, problems: [problem], faults, notes: [] };
  }
  return { ...answer, notes: [] };
}

/** Whether this home signed and stored exactly this record; if so, its own row vouches for the time. */
async function isKept(db: Db, { co_signatures, ...signed }: JsonObject): Promise<boolean> {
  const id = typeof signed['id'] === 'string' ? parseId('rec', signed['id']) : null;
  const kept = id === null ? null : await findRecord(db, id);
  return kept !== null && isDeepStrictEqual(JSON.parse(kept.json), signed);
}
