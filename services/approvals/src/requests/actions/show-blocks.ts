import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { parseId } from '@hearth/ids';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { BlockRow } from '../db/blocks.ts';

/** Blocks as their owner sees them; a child by the id that the owner was shown. */
export async function showBlocks(
  { people }: Pick<Context, 'people'>,
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
