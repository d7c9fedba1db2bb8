import { createCoalescer } from '@hearth/coalesce';
import { badField, internal } from '@hearth/errors';
import { isUuid, printId } from '@hearth/ids';
import type { RecordsService } from '@hearth/proto/federation/v1/records';
import type { UnaryHandler } from '@hearth/rpc';
import { isJsonObject, maxUnsignedBytes, parseInstant, parseStrictJson, signRecord } from '@hearth/signing';
import { refuseToSign } from '../../shared/domain/sign-rules.ts';
import type { Context } from '../context.ts';
import { findRecord, insertRecords, type KeptRecord } from '../db/records.ts';

const typ = 'svc-record+jws';
const maxViewers = 200;
const hashBytes = 32;

/**
 * Signs and stores a record; idempotent by id: a repeated call, such as after a crash, returns the record
 * that was signed first.
 */
export function keepRecord({
  home,
  clock,
  keyRing,
  database,
}: Context): UnaryHandler<typeof RecordsService.method.keepRecord> {
  const writes = createCoalescer<KeptRecord, boolean>({
    name: 'batch of records',
    maxInFlight: 1,
    spacingMs: 2,
    splitOnError: true,
    async run(records) {
      const first = new Map(records.toReversed().map((record) => [record.id, record]));
      const now = new Date(clock.now());
      const written = await database.statement((tx) => insertRecords(tx, [...first.values()], now));
      return records.map((record) => written.has(record.id) && first.get(record.id) === record);
    },
  });

  return async ({ id, json, receiptHash, viewers }, { service }) => {
    if (!isUuid(id)) throw badField('id', 'must be a uuid');
    if (receiptHash.length !== hashBytes) throw badField('receipt_hash', `must be ${hashBytes} bytes`);
    if (viewers.length > maxViewers || !viewers.every(isUuid))
      throw badField('viewers', `must be uuids, at most ${maxViewers}`);
    const record = parseStrictJson(json, { maxBytes: maxUnsignedBytes });
    if (!isJsonObject(record)) throw badField('json', 'a record is a JSON object');
    if (record['id'] !== printId('rec', id)) throw badField('json', 'its id is not the one it is kept under');
    const { pair, notBefore } = keyRing.current;
    const refusal = refuseToSign(
      { service, typ, record, issuedAt: parseInstant(record['issued_at']) },
      { home, now: clock.now(), keyNotBefore: notBefore.getTime() },
    );
    if (refusal !== null) {
      const kept = await findRecord(database.db, id);
      if (kept === null) throw refusal;
      return { json: kept.json };
    }

    const signed = JSON.stringify(signRecord(record, { key: pair, typ }));
    const row = {
      id,
      type: String(record['type']),
      json: signed,
      receiptHash: Buffer.from(receiptHash),
      viewers,
    };
    if (await writes.add(row)) return { json: signed };
    // Already signed: return the first record.
    const first = await findRecord(database.db, id);
    if (first === null) throw internal('a record is kept and not there');
    return { json: first.json };
  };
}
