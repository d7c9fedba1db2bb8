import { create } from '@bufbuild/protobuf';
import { nowDate } from '@hearth/clock';
import { badField, badRequest, internal, notFound } from '@hearth/errors';
import { newId } from '@hearth/home-acts';
import { parseId, printId } from '@hearth/ids';
import { addressOf, isMinor } from '@hearth/people';
import type { GroupFacts } from '@hearth/proto/groups/v1/groups';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import {
  GroupPostSchema,
  GroupPostsService,
  type PostGroupRequest,
} from '@hearth/proto/messages/v1/group_posts';
import { type Call, callerKinds, personOf } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findGroupPost, type GroupPostRow, insertGroupPost, takePostNumber } from '../db/group-posts.ts';
import { groupPosted } from '../domain/group-posted.ts';
import { findElsewhere, type GroupElsewhere } from './find-elsewhere.ts';
import { groupOf } from './group-of.ts';
import { saidIn } from './home-posts.ts';
import { toGroupPosts } from './to-group-posts.ts';

const { postGroup: method } = GroupPostsService.method;

/** Posts to a group that the caller belongs to. */
export async function postToGroup(context: Context, request: PostGroupRequest, call: Call) {
  const elsewhere = await findElsewhere(context, request.id, call.caller);
  if (elsewhere !== null) return await postElsewhere(context, elsewhere, request, call);
  const group = await groupOf(context, request.id, call);
  // Requests by id and by address count as the same.
  const canonical = { ...request, id: printId('grp', group.id) };
  return await context.idempotency.once(call, method, canonical, {
    async make(claim) {
      if (group.archived) throw isArchived();
      const author = await findAuthor(context, call);
      const replyTo = await readReplyTo(context, request, group);
      const post = compose(context, { text: request.text, replyTo }, group, author, call);
      const made =
        call.caller.act === '' ? null : await findGroupPost(context.database.db, group.id, post.id);
      if (made !== null) return await show(context, made, call);
      await context.commit(async (tx) => {
        await claim(tx, { post: post.id });
        await insertGroupPost(tx, { ...post, seq: await takePostNumber(tx, post.group) });
        tx.announce(groupPosted(post.id, group, author, call.caller));
        if (group.elsewhere) tx.announce(context.copies.due(post.id));
      });
      return await show(context, post, call);
    },
    async repeat({ post: id }) {
      const post = await findGroupPost(context.database.db, group.id, id);
      if (post === null) throw internal('a request_id leads to no post');
      return await show(context, post, call);
    },
  });
}

/** Posts to a remote group, whose home numbers the posts. */
async function postElsewhere(
  { copies }: Context,
  { archived, home, person, reference }: GroupElsewhere,
  request: PostGroupRequest,
  { answerWith, caller }: Call,
) {
  if (archived) throw isArchived();
  const { text, replyTo, requestId } = request;
  const answered = replyTo === undefined ? undefined : ownIdIn(replyTo, home);
  const answer = await copies.call(
    { home, reference },
    {
      method,
      request: {
        text,
        ...(answered !== undefined && { reply_to: answered }),
        ...(requestId !== undefined && { request_id: requestId }),
      },
      ...{ answerWith, caller },
      forPerson: caller.kind === callerKinds.AI,
      kept: { viewer: person, ...saidIn({ from: caller.address, text }) },
    },
  );
  if (answer !== null) return answer;
  const { address: from, name: fromName, via } = caller;
  const byAi = caller.kind === callerKinds.AI;
  return create(GroupPostSchema, { group: reference, from, fromName, byAi, text, via, pending: true });
}

/** The id of a reference at its own home. */
const ownIdIn = (text: string, home: string) =>
  text.startsWith(`r:${home}:`) ? text.slice(home.length + 3) : text;

function isArchived(): Error {
  return badRequest('this group is archived: what was posted can be read, and nothing more is posted', {
    code: 'archived',
  });
}

type NewPost = Omit<GroupPostRow, 'seq'>;

async function show(context: Context, post: NewPost, { caller }: Call) {
  const [shown] = await toGroupPosts(context, [post], caller);
  if (shown === undefined) throw internal('a post was shown as none');
  return shown;
}

async function readReplyTo(
  { database }: Context,
  { replyTo }: PostGroupRequest,
  group: GroupFacts,
): Promise<string | null> {
  if (replyTo === undefined) return null;
  const id = parseId('msg', replyTo);
  const post = id === null ? null : await findGroupPost(database.db, group.id, id);
  if (post === null) throw badField('reply_to', 'must be the id of a post of this group');
  return post.id;
}

/** The posting person, or the owner of the posting AI; null for the group's own AI. */
async function findAuthor({ people }: Context, { caller }: Call): Promise<PersonFacts | null> {
  const person = personOf(caller);
  const facts = person === null ? null : await people.everywhere.findOne(person);
  if (person !== null && facts === null) throw notFound();
  return facts;
}

function compose(
  { clock, dayIds, ids }: Context,
  content: Pick<GroupPostRow, 'text' | 'replyTo'>,
  group: GroupFacts,
  author: PersonFacts | null,
  { caller }: Call,
): NewPost {
  const minor = author !== null && isMinor(author);
  const byAi = caller.kind === callerKinds.AI;
  return {
    id: newId(minor ? dayIds : ids, group.id, caller),
    group: group.id,
    person: author?.id ?? null,
    ai: byAi ? caller.id : null,
    fromAddress: byAi || author === null ? caller.address : addressOf(author),
    fromName: byAi || author === null ? caller.name : author.name,
    minor,
    ...content,
    via: caller.via,
    at: nowDate(clock),
  };
}
