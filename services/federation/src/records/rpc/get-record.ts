import { hash } from 'node:crypto';
import { fromJsonString } from '@bufbuild/protobuf';
import { StructSchema } from '@bufbuild/protobuf/wkt';
import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { RecordsService } from '@hearth/proto/federation/v1/records';
import type { UnaryHandler } from '@hearth/rpc';
import type { RecordsContext } from '../../signing/context.ts';
import { findRecordFor } from '../db/records.ts';

/** The signed record for who has the link of its receipt, and for those whom it concerns; for nobody else there is none. */
export function getRecord({
  database,
}: RecordsContext): UnaryHandler<typeof RecordsService.method.getRecord> {
  return async (request, { caller }) => {
    const id = parseId('rec', request.id);
    if (id === null) throw notFound();
    const found = await findRecordFor(database.db, id, {
      receiptHash: request.k === undefined ? null : hash('sha256', request.k, 'buffer'),
      // An app that acts for somebody sees what they see: what was asked through it for others is for the app alone.
      viewers: [caller.id, caller.person].filter((viewer) => viewer !== ''),
    });
    if (found === null) throw notFound();
    return fromJsonString(StructSchema, found.json);
  };
}
