import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import {
  CommonsClosing,
  type CommonsPostSchema,
  CommonsRemover,
  CommonsStatus,
  type PostedReplySchema,
} from '@hearth/proto/messages/v1/commons';
import { isNameVerified, toSenderStatus } from '../../shared/domain/sender-status.ts';
import type { AuthorRow } from '../db/authors.ts';
import type { PostRow } from '../db/posts.ts';
import type { ReplyRow } from '../db/replies.ts';

type Reader = { id: string; now: Date };
type Removable = { id: string; author: string; removedBy: number | null; reason: string | null };

/** The current state of a post: an expired one counts as closed before the job closes it. */
export function statusOf(
  { state, expiresAt }: Pick<PostRow, 'state' | 'expiresAt'>,
  now: Date,
): CommonsStatus {
  return state === CommonsStatus.OPEN && expiresAt <= now ? CommonsStatus.CLOSED : state;
}

/** @param reader uuid of the reader; only the author learns how to appeal */
export function toPost(
  row: PostRow,
  { id: reader, now }: Reader,
): MessageInitShape<typeof CommonsPostSchema> {
  const status = statusOf(row, now);
  const closing = row.closedReason ?? CommonsClosing.EXPIRED;
  return {
    id: printId('pst', row.id),
    conversation: printId('cnv', row.conversation),
    kind: row.kind,
    title: row.title || undefined,
    text: row.body,
    tags: row.tags,
    ...toAuthor(row),
    at: timestampFromDate(row.at),
    expiresAt: timestampFromDate(row.expiresAt),
    status,
    ...(status === CommonsStatus.CLOSED && {
      closedReason: closing,
      closedWith: row.closedWith ?? undefined,
    }),
    replies: row.replies,
    lastReplyAt: row.lastReplyAt === null ? undefined : timestampFromDate(row.lastReplyAt),
    ...removalOf(row, reader),
  };
}

export function toReply(
  row: ReplyRow,
  post: Pick<PostRow, 'id' | 'conversation'>,
  { id: reader }: Pick<Reader, 'id'>,
): MessageInitShape<typeof PostedReplySchema> {
  return {
    id: printId('pst', row.id),
    conversation: printId('cnv', post.conversation),
    post: printId('pst', post.id),
    ...toAuthor(row),
    text: row.body,
    at: timestampFromDate(row.at),
    status: row.removedBy === null ? CommonsStatus.OPEN : CommonsStatus.REMOVED,
    ...removalOf(row, reader),
  };
}

export function toAuthor({
  address,
  name,
  authorStatus,
}: Pick<AuthorRow, 'address' | 'name' | 'authorStatus'>) {
  return {
    by: address,
    byName: name,
    byStatus: toSenderStatus(authorStatus),
    nameVerified: isNameVerified({ sender_status: authorStatus, sender_address: address }),
  };
}

function removalOf({ id, author, removedBy, reason }: Removable, reader: string) {
  if (removedBy === null) return {};
  const appeals = removedBy === CommonsRemover.OPERATOR && reader === author;
  return {
    removedBy,
    reason: reason ?? undefined,
    ...(appeals && {
      appeal: `If that is a mistake, tell the operator why: POST /v0/feedback with kind abuse and about ${printId('pst', id)}`,
    }),
  };
}
