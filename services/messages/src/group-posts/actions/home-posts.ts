import { create } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { unavailable } from '@hearth/errors';
import { brokenRule, type Copies, type Copy, type HomeThings, type OutgoingState } from '@hearth/home-acts';
import { printId } from '@hearth/ids';
import { addressOf } from '@hearth/people';
import { type GroupPost, GroupPostSchema } from '@hearth/proto/messages/v1/group_posts';
import { anonymous } from '@hearth/rpc';
import { digest } from '@hearth/signing';
import type { Context } from '../context.ts';
import { findPost } from '../db/group-posts.ts';

export type PostCopies = Copies<typeof GroupPostSchema>;
type Deps = Pick<Context, 'database' | 'groups' | 'people'>;

type Posted = Pick<Copy<typeof GroupPostSchema>, 'home' | 'message' | 'reference'>;

const isOurs = ({ from }: GroupPost) => from.startsWith('@');

/** As many members of this home as the state of a group names. */
const mostSeated = 100;

/** Posts of groups of other homes, and what those are told of this one's. */
export function createHomePosts(context: Deps, things: HomeThings): PostCopies {
  const posts: PostCopies = things.kind('post', {
    desc: GroupPostSchema,
    factsOf: ({ at }) => (at === undefined ? null : { status: 'posted', startedAt: timestampDate(at) }),
    // All of its members here see it: the item names twenty of them at most.
    async admit({ after }) {
      const { group } = after.message;
      if (!group.startsWith(`r:${after.home}:`))
        return brokenRule('body.object.group', 'must be of the home that sends it');
      // Another home has no word of its own about what people of this one posted.
      if (isOurs(after.message) && (await makerOf(after)) === null)
        return brokenRule('body.object.from', 'must be who sent this home the act of that post');
      const asked = { group, limit: mostSeated };
      const { members, expected } = await context.groups.listRoster(asked, { caller: anonymous });
      // The state of the group may come after it.
      if (expected) return { waits: true };
      if (members.length === 0) return { refused: 'no_such_address' };
      return { seats: members.map(({ person }) => ({ viewer: person, waiting: false })) };
    },
    // One act makes one post.
    async changed(tx, { after }) {
      if (after === null || !isOurs(after.message)) return;
      const act = await makerOf(after);
      if (act === null || !(await posts.noteMade(tx, act, after.reference)))
        throw unavailable('the act of a post made another one meanwhile');
    },
    async actReturned(_, { operation, request: { text }, address: from, viewer }) {
      return operation === 'post_group' ? { viewer, ...saidIn({ from, text: String(text) }) } : null;
    },
    current: (id) => postForHomes(context, id),
  });

  /** The act (uuid) of a post by a party of this home; null for a post that they did not send. */
  async function makerOf({ home, message, reference }: Posted): Promise<string | null> {
    const { byAi, from, group, text } = message;
    if (byAi !== from.includes('.ai-')) return null;
    const act = { operation: 'post_group', kept: saidIn({ from, text }) };
    return await posts.maker(group, act, { reference, id: reference.slice(`r:${home}:`.length) });
  }

  return posts;
}

/** Kept of a post to a group of another home, to know it again when it comes from there. */
export function saidIn({ from, text }: Pick<GroupPost, 'from' | 'text'>) {
  return { from, said: digest(Buffer.from(text)) };
}

/** A post (uuid) as the homes of the members are told of it; no one is of that of a person under 18. */
async function postForHomes(
  { database, groups, people }: Deps,
  id: string,
): Promise<OutgoingState<typeof GroupPostSchema> | null> {
  const post = await findPost(database.db, id);
  if (post === null || post.minor) return null;
  const asked = { ids: [post.group], withHomes: true };
  const [{ results }, author, answered] = await Promise.all([
    groups.findGroups(asked, { caller: anonymous }),
    post.person === null ? null : people.everywhere.findOne(post.person),
    post.replyTo === null ? null : findPost(database.db, post.replyTo),
  ]);
  const byAi = post.ai !== null;
  const message = create(GroupPostSchema, {
    id: printId('msg', post.id),
    group: printId('grp', post.group),
    from: byAi || author === null ? post.fromAddress : addressOf(author),
    fromName: post.fromName,
    byAi,
    text: post.text,
    ...(answered?.minor === false && { replyTo: printId('msg', answered.id) }),
    at: timestampFromDate(post.at),
    via: post.via,
  });
  return { id: printId('msg', post.id), message, final: true, homes: results[0]?.group?.homes ?? [] };
}
