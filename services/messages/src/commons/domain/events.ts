import { enumNames } from '@hearth/enum-names';
import { printId } from '@hearth/ids';
import type { Announcement } from '@hearth/outbox';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { CommonsClosingSchema, CommonsKindSchema } from '@hearth/proto/messages/v1/commons';
import type { PostRow } from '../db/posts.ts';
import { lineOf } from './draft.ts';

const kinds = enumNames(CommonsKindSchema);
const closings = enumNames(CommonsClosingSchema);

export type Announced = Pick<
  PostRow,
  'id' | 'conversation' | 'kind' | 'title' | 'body' | 'author' | 'person'
>;

function changed(what: string, post: Announced, more: object, by?: Caller): Announcement {
  const value = {
    what,
    post: printId('pst', post.id),
    conversation: printId('cnv', post.conversation),
    kind: kinds.nameOf(post.kind),
    line: lineOf(post),
    author: post.author,
    person: post.person ?? '',
    ...more,
  };
  return { data: { case: 'commonsChanged', value }, ...(by !== undefined && { by }) };
}

export const posted = (post: Announced, by: Caller) => changed('posted', post, {}, by);

export const replied = (post: Announced, reply: string, told: boolean, by: Caller) =>
  changed('replied', post, { reply: printId('pst', reply), told }, by);

/** @param by absent if the post expired */
export const closed = (post: Announced, reason: number, by?: Caller) =>
  changed('closed', post, { reason: closings.nameOf(reason) }, by);

/** @param reply the removed reply and its author; null if the post was removed */
export const removed = (
  post: Announced,
  reply: { id: string; author: string; person: string | null } | null,
  reason: string,
  by: Caller,
) =>
  changed(
    'removed',
    post,
    {
      reason,
      ...(reply !== null && {
        reply: printId('pst', reply.id),
        author: reply.author,
        person: reply.person ?? '',
      }),
    },
    by,
  );
