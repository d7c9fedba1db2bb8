import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { isFreeHandle, parseAddress } from '@hearth/addresses';
import { printId } from '@hearth/ids';
import { shieldedTime, shieldId, viewerOf } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { GroupPostSchema } from '@hearth/proto/messages/v1/group_posts';
import type { Caller } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { GroupPostRow } from '../db/group-posts.ts';

type Author = { from: string; fromName: string; shielded: boolean };

/** Shown for a deleted account; no account can have this handle. */
const gone = { from: '@deleted', fromName: 'A deleted account' };

/** Posts as the caller may see them. */
export async function toGroupPosts(
  context: Context,
  rows: readonly Omit<GroupPostRow, 'seq'>[],
  caller: Caller,
): Promise<MessageInitShape<typeof GroupPostSchema>[]> {
  const facts = await context.people.everywhere.find(rows.flatMap(({ person }) => person ?? []));
  return rows.map((row) => {
    const { from, fromName, shielded } = authorOf(context, row, facts, caller);
    return {
      id: printId('msg', row.id),
      group: printId('grp', row.group),
      from,
      fromName,
      byAi: row.ai !== null,
      text: row.text,
      ...(row.replyTo !== null && { replyTo: printId('msg', row.replyTo) }),
      at: timestampFromDate(shielded ? shieldedTime(row.at) : row.at),
      via: row.via,
    };
  });
}

function authorOf(
  { people, sealer }: Context,
  row: Omit<GroupPostRow, 'seq'>,
  facts: ReadonlyMap<string, PersonFacts>,
  caller: Caller,
): Author {
  const then: Author = { from: row.fromAddress, fromName: row.fromName, shielded: false };
  if (row.person === null) return then;
  const person = facts.get(row.person);
  if (person === undefined) return { ...gone, shielded: row.minor };
  const shown = people.show(person, caller);
  // A child's AI whose address does not reveal its owner is shown simply as an AI.
  if (shown.shielded && row.ai !== null && isFree(row.fromAddress))
    return { from: shieldId(sealer, viewerOf(caller), row.ai), fromName: 'An AI', shielded: true };
  if (shown.shielded) return { from: shown.id, fromName: shown.name, shielded: true };
  // A person who has turned 18 appears as they are now; an AI keeps the name it had then.
  if (row.ai !== null) return then;
  return { from: shown.address, fromName: shown.name, shielded: false };
}

/** A random address, which contains no person's handle. */
function isFree(address: string): boolean {
  const read = parseAddress(address);
  return read?.kind === 'ai' && isFreeHandle(read.handle);
}
