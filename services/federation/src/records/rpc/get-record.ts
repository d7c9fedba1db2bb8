import { hash } from 'node:crypto';
import { fromJsonString } from '@bufbuild/protobuf';
import { StructSchema } from '@bufbuild/protobuf/wkt';
import { notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { RecordsService } from '@hearth/proto/federation/v1/records';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findRecordFor } from '../db/records.ts';

/**
 * Returns a signed record to holders of its receipt link, and to the parties that it concerns; not found for
 * anyone else.
 */
export const getRecord =
  ({ database }: Context): UnaryHandler<typeof RecordsService.method.getRecord> =>
  async (request, { caller }) => {
    const id = parseId('rec', request.id);
    if (id === null) throw notFound();
    const found = await findRecordFor(database.db, id, {
      receiptHash: request.k === undefined ? null : hash('sha256', request.k, 'buffer'),
      // An app that acts for a person sees what the person sees; its own records only with its own key.
      viewers: [caller.id, caller.person].filter((viewer) => viewer !== ''),
    });
    if (found === null) throw notFound();
    return fromJsonString(StructSchema, found.json);
  };
