import { enumNames } from '@hearth/enum-names';
import {
  CommonsClosing,
  CommonsKindSchema,
  CommonsRemover,
  CommonsStatus,
  type CommonsPost as Post,
  type PostedReply,
} from '@hearth/proto/messages/v1/commons';
import { SenderStatusSchema } from '@hearth/proto/messages/v1/messages';
import type { CommonsEnd, CommonsPost, CommonsReply } from '@hearth/web';
import { msOf } from '../pages/module.ts';

const statuses = enumNames(SenderStatusSchema);
const kinds = enumNames(CommonsKindSchema);

const ends: Readonly<Partial<Record<CommonsClosing, CommonsEnd>>> = {
  [CommonsClosing.DONE]: 'done',
  [CommonsClosing.WITHDRAWN]: 'withdrawn',
  [CommonsClosing.FILLED]: 'filled',
  [CommonsClosing.EXPIRED]: 'expired',
};

export function replyView(reply: PostedReply | Post): CommonsReply {
  const { id, text, by, byName, byStatus, nameVerified, at, removedBy, reason } = reply;
  return {
    id,
    text,
    by,
    byName,
    byStatus: statuses.nameOf(byStatus) as CommonsReply['byStatus'],
    nameVerified,
    atMs: msOf(at) ?? 0,
    ...(removedBy !== undefined && {
      removed: { by: removedBy === CommonsRemover.OPERATOR ? 'operator' : 'author', reason },
    }),
  };
}

export function postView(post: Post): CommonsPost {
  const { kind, title, tags, expiresAt, status, closedReason, closedWith, replies, lastReplyAt } = post;
  return {
    ...replyView(post),
    kind: kinds.nameOf(kind) as CommonsPost['kind'],
    title,
    tags,
    expiresAtMs: msOf(expiresAt) ?? 0,
    ...(status === CommonsStatus.CLOSED && {
      closed: { reason: ends[closedReason ?? 0] ?? 'expired', with: closedWith },
    }),
    replies,
    lastReplyAtMs: msOf(lastReplyAt),
  };
}
