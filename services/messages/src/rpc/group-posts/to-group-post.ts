import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { shieldedTime } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { GroupPostSchema } from '@hearth/proto/messages/v1/group_posts';
import type { Caller } from '@hearth/rpc';
import type { GroupPostRow } from '../../db/group-posts.ts';
import type { GroupPostsContext } from './context.ts';

type Author = { from: string; fromName: string; shielded: boolean };

/** In place of somebody whose account is gone: nobody can have this handle. */
const gone = { from: '@deleted', fromName: 'A deleted account' };

/** Posts as the caller may see them. */
export async function toGroupPosts(
  { people }: Pick<GroupPostsContext, 'people'>,
  rows: readonly Omit<GroupPostRow, 'seq'>[],
  caller: Caller,
): Promise<MessageInitShape<typeof GroupPostSchema>[]> {
  const facts = await people.find(rows.flatMap(({ person }) => person ?? []));
  return rows.map((row) => {
    const { from, fromName, shielded } = authorOf(people, row, facts, caller);
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
  people: GroupPostsContext['people'],
  row: Omit<GroupPostRow, 'seq'>,
  facts: ReadonlyMap<string, PersonFacts>,
  caller: Caller,
): Author {
  const then: Author = { from: row.fromAddress, fromName: row.fromName, shielded: false };
  if (row.person === null) return then;
  const person = facts.get(row.person);
  if (person === undefined) return { ...gone, shielded: row.minor };
  const shown = people.show(person, caller);
  if (shown.shielded) return { from: shown.id, fromName: shown.name, shielded: true };
  // Who has come of age since is shown as they are now; the names of AIs are what they were.
  if (row.ai !== null) return then;
  return { from: shown.address, fromName: shown.name, shielded: false };
}
