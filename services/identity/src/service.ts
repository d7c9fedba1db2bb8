import { day, hour } from '@hearth/clock';
import { sizeOf } from '@hearth/limits';
import { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import { createIdempotency } from '@hearth/requests';
import type { ServiceDefinition } from '@hearth/runtime';
import { startAis } from './ais/module.ts';
import { startApps } from './apps/module.ts';
import { createAccepts } from './directory/actions/accepts.ts';
import { createCards } from './directory/actions/cards.ts';
import { createLookups } from './directory/actions/lookups.ts';
import type { Context } from './directory/context.ts';
import { handlers } from './directory/handlers.ts';
import { purgeKeys } from './directory/jobs/purge-keys.ts';
import { startNotes } from './notes/module.ts';
import { startOAuth } from './oauth/module.ts';
import { startPeople } from './people/module.ts';
import { createAges } from './shared/actions/ages.ts';
import { createAiLimits } from './shared/actions/ai-limits.ts';
import { createClaimLinks } from './shared/actions/claim-links.ts';
import { createGroups } from './shared/actions/groups.ts';
import { createPeopleLookups } from './shared/actions/people-lookups.ts';
import { createSights } from './shared/actions/visibility.ts';
import { startSignIn } from './sign-in/module.ts';

/** Who is who: AIs, their addresses and keys, their cards. */
export const identity: ServiceDefinition = {
  name: 'identity',
  migrations: new URL('../migrations/', import.meta.url),
  async start(host) {
    const { bus, cache, clock, config, database, ids, limiter, limits, outbox, random, sealer } = host;
    const federation = host.peer('federation', FederationService);
    const homeNames = { ownHome: config.home, devHomes: config.devHomes };
    const { consentAges, timeZone } = config;
    const ages = createAges({ clock, sealer, timeZone, consentAges });
    const people = createPeopleLookups({ db: database.db, clock, sealer, ages, homeNames });
    const groups = createGroups(host.peer('groups', GroupsService));
    const aiRequests = createIdempotency<{ ai: string }>({
      database,
      schema: 'identity',
      clock,
      keptForMs: sizeOf(limits, 'request_id_days') * day,
    });
    const context: Context = {
      homeNames,
      siteUrl: config.siteUrl,
      clock,
      ids,
      random,
      database,
      lookups: createLookups(database.db, clock),
      outbox,
      bus,
      limits: createAiLimits(limits, limiter, clock),
      cards: createCards({ clock, cache, federation }),
      claimLinks: createClaimLinks(sealer, config.siteUrl),
      aiRequests,
      people,
      groups,
      sights: createSights({ people, groups }),
      messages: host.peer('messages', MessagesService),
      approvals: host.peer('approvals', ApprovalsService),
      accepts: createAccepts(host.peer('approvals', RequestRulesService)),
    };
    host.serve(IdentityService, handlers(context));
    startAis(host, context);
    startApps(host);
    startNotes(host);
    startPeople(host);
    startSignIn(host);
    startOAuth(host, context);
    host.every('purge of request ids', hour, () => context.aiRequests.purge());
    host.every('purge of ended keys', hour, () => purgeKeys(database, clock));
  },
};
