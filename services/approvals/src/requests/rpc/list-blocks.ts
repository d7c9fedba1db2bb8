import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { parseId } from '@hearth/ids';
import type { People } from '@hearth/people';
import type { Caller } from '@hearth/rpc';
import { pageSize } from '../../shared/actions/page-size.ts';
import { blockerOf } from '../actions/viewer.ts';
import type { RequestsContext } from '../context.ts';
import { type BlockRow, listBlocks as readBlocks } from '../db/blocks.ts';
import { printBlockPlace, readBlockPlace } from '../domain/block-cursor.ts';
import type { RequestsHandlers } from './index.ts';

/** The newest first. */
export const listBlocks =
  (context: RequestsContext): RequestsHandlers['listBlocks'] =>
  async ({ cursor, limit }, { caller }) => {
    const owner = blockerOf(caller);
    const after = cursor === undefined ? null : readBlockPlace(cursor);
    const size = pageSize(context, limit);
    const rows = await readBlocks(context.database.db, owner, after, size + 1);
    const shown = rows.slice(0, size);
    const last = shown.at(-1);
    return {
      blocks: await showBlocks(context.people, shown, caller),
      nextCursor: rows.length > size && last !== undefined ? printBlockPlace(last) : undefined,
    };
  };

/** As the owner knows whom they blocked: somebody under 18 by the id that they see. */
export async function showBlocks(
  people: Pick<People, 'find' | 'idFor'>,
  rows: readonly BlockRow[],
  caller: Caller,
) {
  const facts = await people.find(rows.flatMap(({ target }) => parseId('per', target) ?? []));
  return rows.map(({ target, reason, at }) => {
    const person = facts.get(parseId('per', target) ?? '');
    return {
      target: person === undefined ? target : people.idFor(person, caller),
      reason: reason ?? undefined,
      at: timestampFromDate(at),
    };
  });
}
