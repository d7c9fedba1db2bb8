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
import { createAccepts } from './accepts.ts';
import { createAges } from './ages.ts';
import { startAis } from './ais.ts';
import { startApps } from './apps.ts';
import { createCards } from './cards.ts';
import { createClaimLinks } from './claim-links.ts';
import type { Context } from './context.ts';
import { createGroups } from './groups.ts';
import { createAiLimits } from './limits.ts';
import { createLookups } from './lookups.ts';
import { startNotes } from './notes.ts';
import { startOAuth } from './oauth.ts';
import { startPeople } from './people.ts';
import { createPeopleLookups } from './people-lookups.ts';
import { purgeKeys } from './purge-keys.ts';
import { handlers } from './rpc/index.ts';
import { createSights } from './sights.ts';
import { startSignIn } from './sign-in.ts';

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
