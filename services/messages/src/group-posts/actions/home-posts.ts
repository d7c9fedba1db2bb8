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

/** The most local members that the state of a group names. */
const mostSeated = 100;

/** Posts in remote groups, and the states of local posts for other homes. */
export function createHomePosts(context: Deps, things: HomeThings): PostCopies {
  const posts: PostCopies = things.kind('post', {
    desc: GroupPostSchema,
    factsOf: ({ at }) => (at === undefined ? null : { status: 'posted', startedAt: timestampDate(at) }),
    // All local members see it, although the item names at most twenty of them.
    async admit({ after }) {
      const { group } = after.message;
      if (!group.startsWith(`r:${after.home}:`))
        return brokenRule('body.object.group', 'must be of the home that sends it');
      // Another home may not invent posts by people of this home.
      if (isOurs(after.message) && (await makerOf(after)) === null)
        return brokenRule('body.object.from', 'must be who sent this home the act of that post');
      const asked = { group, limit: mostSeated };
      const { members, expected } = await context.groups.listRoster(asked, { caller: anonymous });
      // The group's state may arrive after the post.
      if (expected) return { waits: true };
      if (members.length === 0) return { refused: 'no_such_address' };
      return { seats: members.map(({ person }) => ({ viewer: person, waiting: false })) };
    },
    // One act creates one post.
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

  /** The act (uuid) by which a local party made the post; null if they did not send it. */
  async function makerOf({ home, message, reference }: Posted): Promise<string | null> {
    const { byAi, from, group, text } = message;
    if (byAi !== from.includes('.ai-')) return null;
    const act = { operation: 'post_group', kept: saidIn({ from, text }) };
    return await posts.maker(group, act, { reference, id: reference.slice(`r:${home}:`.length) });
  }

  return posts;
}

/** Stored with a post to a remote group, to recognize the post when it comes back. */
export function saidIn({ from, text }: Pick<GroupPost, 'from' | 'text'>) {
  return { from, said: digest(Buffer.from(text)) };
}

/** The state of a post (uuid) for members' homes; null for a post by a person under 18, which stays here. */
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
