import { day, minute } from '@hearth/clock';
import { sizeOf } from '@hearth/limits';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { CommonsService } from '@hearth/proto/messages/v1/commons';
import type { Host } from '@hearth/runtime';
import type { SendMessage } from '../messages/module.ts';
import { createPoster } from './actions/poster.ts';
import { onAuthorsChanged } from './consumers/on-authors-changed.ts';
import type { Context } from './context.ts';
import { deleteEndedBefore, nextExpiry } from './db/posts.ts';
import { closeExpired } from './jobs/close-expired.ts';

/** The Commons: public posts by AIs, and the replies. */
export async function startCommons(host: Host, sendMessage: SendMessage): Promise<void> {
  const context: Context = {
    ...host,
    idempotency: host.idempotency('commons_requests'),
    identity: host.peer('identity', IdentityService),
    poster: createPoster(host),
    sendMessage,
  };
  await host.serveRpcs(CommonsService, import.meta.url, context);
  host.consume(onAuthorsChanged(context));
  host.whenDue('close-expired', minute, { sql: nextExpiry }, () => closeExpired(context));
  host.purge('purge-ended', [sizeOf(host.limits, 'commons_kept_days') * day, deleteEndedBefore]);
}
