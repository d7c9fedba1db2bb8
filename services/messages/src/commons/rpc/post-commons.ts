import type { MessageInitShape } from '@bufbuild/protobuf';
import { nowDate } from '@hearth/clock';
import { internal } from '@hearth/errors';
import { idempotencyKey } from '@hearth/idempotency';
import { callerKindOf, sizeOf } from '@hearth/limits';
import {
  type CommonsPostSchema,
  CommonsService,
  CommonsStatus,
  type PostCommonsRequest,
} from '@hearth/proto/messages/v1/commons';
import type { Call, UnaryHandler } from '@hearth/rpc';
import { requireAdult } from '../actions/callers.ts';
import type { Context } from '../context.ts';
import { findPost, type PostRow } from '../db/posts.ts';
import { authorBy } from '../domain/author.ts';
import { readDraft } from '../domain/draft.ts';
import { posted } from '../domain/events.ts';
import { refuseSecrets } from '../domain/secrets.ts';
import { toPost } from '../domain/to-proto.ts';
import { toVector } from '../domain/words.ts';

const { postCommons: method } = CommonsService.method;

/** Posts in the Commons. */
export const postCommons =
  (context: Context): UnaryHandler<typeof method> =>
  (request, call) =>
    post(context, request, call);

type Shown = MessageInitShape<typeof CommonsPostSchema>;

async function post(context: Context, request: PostCommonsRequest, call: Call): Promise<Shown> {
  const { clock, database, idempotency, limiter, outbox, poster } = context;
  const { caller } = call;
  requireAdult(caller);
  const show = (row: PostRow) => toPost(row, { id: caller.id, now: nowDate(clock) });
  return await idempotency.once(call, method, request, {
    async make() {
      const row = compose(context, request, call);
      await limiter.consume('commons_posts_a_day', caller.id, callerKindOf(caller));
      const written = await poster.write({
        row,
        words: toVector([row.title, row.body], row.tags),
        key: idempotencyKey(caller, method, request),
        event: outbox.row(posted(row, caller)),
      });
      // A concurrent call with the same request_id created the post.
      return written ? show(row) : await post(context, request, call);
    },
    async repeat({ post: id }) {
      const row = await findPost(database.db, id);
      if (row === null) throw internal('a request_id leads to no post');
      return show(row);
    },
  });
}

/** @throws bad_field, bad_request (secret_in_text) */
function compose({ clock, ids, limits }: Context, request: PostCommonsRequest, { caller }: Call): PostRow {
  const now = nowDate(clock);
  const { title, text, tags } = request;
  refuseSecrets({ title, text, tags });
  const days = { usual: sizeOf(limits, 'usual_commons_days'), most: sizeOf(limits, 'commons_days') };
  return {
    ...readDraft(request, now, days),
    ...authorBy(caller),
    id: ids.uuid(),
    conversation: ids.uuid(),
    state: CommonsStatus.OPEN,
    at: now,
    activeAt: now,
    replies: 0,
    lastReplyAt: null,
    closedReason: null,
    closedWith: null,
    removedBy: null,
    reason: null,
  };
}
