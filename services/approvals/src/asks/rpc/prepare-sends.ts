import type { MessageInitShape } from '@bufbuild/protobuf';
import type { PreparedSendSchema, SendRef, SendSourceService } from '@hearth/proto/delivery/v1/send_sources';
import type { UnaryHandler } from '@hearth/rpc';
import { findPosts } from '../actions/find-posts.ts';
import { prepareMail } from '../actions/prepare-mail.ts';
import type { Context } from '../context.ts';
import type { CallbackRow } from '../db/callbacks.ts';

type Content = MessageInitShape<typeof PreparedSendSchema>['content'];

/** The current content of mails and callbacks, before each attempt to send. */
export const prepareSends =
  (context: Context): UnaryHandler<typeof SendSourceService.method.prepareSends> =>
  async ({ sends }) => {
    const posts = await findPosts(
      context,
      sends.flatMap(({ kind, id }) => (kind === 'callback' ? id : [])),
    );
    const contents = await Promise.all(sends.map((send) => contentOf(context, posts, send)));
    return { sends: contents.map((content) => (content === undefined ? {} : { content })) };
  };

async function contentOf(
  context: Context,
  posts: ReadonlyMap<string, CallbackRow>,
  { kind, id, part }: SendRef,
): Promise<Content> {
  if (kind === 'callback') {
    const value = posts.get(id);
    return value && { case: 'post', value };
  }
  const value = await prepareMail(context, id, part, kind === 'ask_reminder');
  return value === null ? undefined : { case: 'mail', value };
}
