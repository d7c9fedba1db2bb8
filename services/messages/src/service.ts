import { day, hour } from '@hearth/clock';
import { sizeOf } from '@hearth/limits';
import { createPeople } from '@hearth/people';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { ServiceDefinition } from '@hearth/runtime';
import { startGroupPosts } from './group-posts/module.ts';
import { reachByRules } from './messages/actions/check-contact-policy.ts';
import { createContacts } from './messages/actions/contacts.ts';
import { createCorrespondents } from './messages/actions/correspondents.ts';
import { createProfiles } from './messages/actions/profiles.ts';
import { createSender } from './messages/actions/sender.ts';
import { createShownPeople } from './messages/actions/shown-people.ts';
import { createTurns } from './messages/actions/take-turns.ts';
import type { Context } from './messages/context.ts';
import { purgeRequests } from './messages/db/idempotency.ts';
import { createNextUnread } from './messages/db/next-unread.ts';
import { createHandlers } from './messages/rpc/index.ts';
import { createBlocks } from './request-messages/actions/blocks.ts';
import { startRequestMessages } from './request-messages/module.ts';

export const messages: ServiceDefinition = {
  name: 'messages',
  migrations: new URL('../migrations/', import.meta.url),
  async start(host) {
    const { bus, clock, config, ids, database, outbox, limits, limiter, sealer } = host;
    const homeNames = { ownHome: config.home, devHomes: config.devHomes };
    const profiles = createProfiles({
      identity: host.peer('identity', IdentityService),
      bus,
      clock,
    });
    const people = createPeople({ identity: host.peer('identity', PeopleService), bus, clock, sealer });
    const sender = createSender({ database, outbox });
    const blocks = createBlocks({ database, bus, clock });
    const groups = host.peer('groups', GroupsService);
    const context: Context = {
      homeNames,
      clock,
      ids,
      database,
      outbox,
      limits,
      limiter,
      correspondents: createCorrespondents({ homeNames, profiles, people, sealer }),
      contacts: createContacts(database),
      groups,
      people,
      blocks,
      checkReach: reachByRules(host.peer('approvals', RequestRulesService)),
      shownPeople: createShownPeople({ people, sealer }),
      sender,
      turns: createTurns(),
      nextUnread: createNextUnread(database),
    };
    host.serve(MessagesService, createHandlers(context));
    startGroupPosts(host, people);
    startRequestMessages(host, people, blocks);
    host.every('purge of idempotency keys', hour, () =>
      purgeRequests(database, new Date(clock.now() - sizeOf(limits, 'request_id_days') * day)),
    );
  },
};
