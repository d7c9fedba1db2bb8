import { toBinary } from '@bufbuild/protobuf';
import { nowDate } from '@hearth/clock';
import { badField, badRequest, internal, notFound } from '@hearth/errors';
import { parseId, printId } from '@hearth/ids';
import type { OutboxRow } from '@hearth/outbox';
import { isMinor } from '@hearth/people';
import type { GroupFacts } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { type PostGroupRequest, PostGroupRequestSchema } from '@hearth/proto/messages/v1/group_posts';
import { type RememberedRequest, rememberedRequest } from '@hearth/requests';
import { type Call, callerKinds, personOf } from '@hearth/rpc';
import { groupOf } from '../actions/group-of.ts';
import { toGroupPosts } from '../actions/to-group-posts.ts';
import type { GroupPostsContext } from '../context.ts';
import { findGroupPost, type GroupPostRow, insertGroupPost, takePostNumber } from '../db/group-posts.ts';
import { groupPosted } from '../domain/group-posted.ts';
import type { GroupPostsHandlers } from './index.ts';

/** Posts to a group of the caller's. Nobody is woken by it. */
export function postGroup(context: GroupPostsContext): GroupPostsHandlers['postGroup'] {
  return async (request, call) => {
    const group = await groupOf(context, request.id, call);
    const remembered = remember(request, group, call);
    const repeated = remembered && (await findRepeated(context, remembered, group, call));
    if (repeated) return await show(context, repeated, call);

    if (group.archived)
      throw badRequest('this group is archived: what was posted can be read, and nothing more is posted', {
        code: 'archived',
      });
    const author = await findAuthor(context, call);
    const said = { text: request.text, replyTo: await readReplyTo(context, request, group) };
    const post = compose(context, said, group, author, call);
    const announced = groupPosted(context.outbox, post.id, group, author, call.caller);
    if (await store(context, post, announced, remembered)) return await show(context, post, call);
    const parallel = remembered && (await findRepeated(context, remembered, group, call));
    if (!parallel) throw internal('a request_id was taken and is not there');
    return await show(context, parallel, call);
  };
}

async function show(context: GroupPostsContext, post: NewPost, { caller }: Call) {
  const [shown] = await toGroupPosts(context, [post], caller);
  if (shown === undefined) throw internal('a post was shown as none');
  return shown;
}

/** A group's id and its address are the same request. */
function remember(
  request: PostGroupRequest,
  group: GroupFacts,
  { caller }: Call,
): RememberedRequest | undefined {
  const { requestId, ...body } = request;
  if (requestId === undefined) return undefined;
  return rememberedRequest(
    caller,
    'post_group',
    requestId,
    toBinary(PostGroupRequestSchema, { ...body, id: printId('grp', group.id) }),
  );
}

async function findRepeated(
  { database, requests }: GroupPostsContext,
  remembered: RememberedRequest,
  group: GroupFacts,
  call: Call,
): Promise<GroupPostRow | null> {
  const found = await requests.find(remembered);
  if (found === null) return null;
  call.answerWith(200);
  const post = await findGroupPost(database.db, group.id, found.post);
  if (post === null) throw internal('a request_id leads to no post');
  return post;
}

async function readReplyTo(
  { database }: GroupPostsContext,
  { replyTo }: PostGroupRequest,
  group: GroupFacts,
): Promise<string | null> {
  if (replyTo === undefined) return null;
  const id = parseId('msg', replyTo);
  const post = id === null ? null : await findGroupPost(database.db, group.id, id);
  if (post === null) throw badField('reply_to', 'must be the id of a post of this group');
  return post.id;
}

type NewPost = Omit<GroupPostRow, 'seq'>;

/** Who posts: the person, or the owner of the AI; null for the group's own AI. */
async function findAuthor({ people }: GroupPostsContext, { caller }: Call): Promise<PersonFacts | null> {
  const person = personOf(caller);
  const facts = person === null ? null : await people.findOne(person);
  if (person !== null && facts === null) throw notFound();
  return facts;
}

function compose(
  { clock, dayIds, ids }: GroupPostsContext,
  said: { text: string; replyTo: string | null },
  group: GroupFacts,
  author: PersonFacts | null,
  { caller }: Call,
): NewPost {
  const minor = author !== null && isMinor(author);
  const byAi = caller.kind === callerKinds.AI;
  return {
    id: (minor ? dayIds : ids).uuid(),
    group: group.id,
    person: author?.id ?? null,
    ai: byAi ? caller.id : null,
    fromAddress: byAi || author === null ? caller.address : `@${author.handle}`,
    fromName: byAi || author === null ? caller.name : author.name,
    minor,
    ...said,
    via: caller.via,
    at: nowDate(clock),
  };
}

/** False when a parallel call with the same request_id posted it. */
async function store(
  { database, outbox, requests }: GroupPostsContext,
  post: NewPost,
  announced: OutboxRow,
  remembered: RememberedRequest | undefined,
): Promise<boolean> {
  const stored = await database.transaction(async (tx) => {
    if (remembered !== undefined && !(await requests.claim(tx, remembered, { post: post.id }))) return false;
    await insertGroupPost(tx, { ...post, seq: await takePostNumber(tx, post.group) });
    await outbox.announce(tx, [announced]);
    return true;
  });
  if (stored) outbox.committed([announced]);
  return stored;
}
