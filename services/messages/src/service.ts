import { day, hour } from '@hearth/clock';
import { sizeOf } from '@hearth/limits';
import { createPeople, isMinor, type People } from '@hearth/people';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { Client } from '@hearth/rpc';
import type { Host, ServiceDefinition, ServiceName } from '@hearth/runtime';
import { createBlocks } from './blocks.ts';
import { createContacts } from './contacts.ts';
import type { Context } from './context.ts';
import { createCorrespondents } from './correspondents.ts';
import { createNextUnread } from './db/next-unread.ts';
import { purgeRequests } from './db/requests.ts';
import { startGroupPosts } from './group-posts.ts';
import { createProfiles } from './profiles.ts';
import { startRequestMessages } from './request-messages.ts';
import { createHandlers } from './rpc/index.ts';
import { type CheckReach, reachByRules, reachWithoutRules } from './send/check-reach.ts';
import { createSender } from './send/sender.ts';
import { createTurns } from './send/take-turns.ts';
import { createShownPeople } from './shown-people.ts';

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
      checkReach: reachIn(host, groups, people),
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

/** A home whose services do not count approvals among them yet has no rules to ask. */
function reachIn(host: Host, groups: Client<typeof GroupsService>, people: People): CheckReach {
  try {
    return reachByRules(host.peer('approvals' as string as ServiceName, RequestRulesService));
  } catch {
    return reachWithoutRules(groups, people, async (id) => {
      const facts = await people.findOne(id);
      return facts !== null && isMinor(facts);
    });
  }
}
