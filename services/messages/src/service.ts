import { day, hour } from '@hearth/clock';
import { sizeOf } from '@hearth/limits';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { ServiceDefinition } from '@hearth/runtime';
import { createContacts } from './contacts.ts';
import type { Context } from './context.ts';
import { createNextUnread } from './db/next-unread.ts';
import { purgeRequests } from './db/requests.ts';
import { startGroupPosts } from './group-posts.ts';
import { createProfiles } from './profiles.ts';
import { createHandlers } from './rpc/index.ts';
import { createSender } from './send/sender.ts';
import { createTurns } from './send/take-turns.ts';

export const messages: ServiceDefinition = {
  name: 'messages',
  migrations: new URL('../migrations/', import.meta.url),
  async start(host) {
    const { clock, config, ids, database, outbox, limits, limiter } = host;
    const profiles = createProfiles({
      identity: host.peer('identity', IdentityService),
      bus: host.bus,
      clock,
    });
    const sender = createSender({ database, outbox });
    const context: Context = {
      homeNames: { ownHome: config.home, devHomes: config.devHomes },
      clock,
      ids,
      database,
      outbox,
      limits,
      limiter,
      profiles,
      contacts: createContacts(database),
      sender,
      turns: createTurns(),
      nextUnread: createNextUnread(database),
    };
    host.serve(MessagesService, createHandlers(context));
    startGroupPosts(host);
    host.every('purge of idempotency keys', hour, () =>
      purgeRequests(database, new Date(clock.now() - sizeOf(limits, 'request_id_days') * day)),
    );
  },
};
