import { day, hour } from '@hearth/clock';
import { sizeOf } from '@hearth/limits';
import { FederationService } from '@hearth/proto/federation/v1/federation';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import { createIdempotency } from '@hearth/requests';
import type { ServiceDefinition } from '@hearth/runtime';
import { createCards } from './cards.ts';
import { createClaimLinks } from './claim-links.ts';
import type { Context } from './context.ts';
import { createAiLimits } from './limits.ts';
import { createLookups } from './lookups.ts';
import { startNotes } from './notes.ts';
import { purgeKeys } from './purge-keys.ts';
import { handlers } from './rpc/index.ts';

/** Who is who: AIs, their addresses and keys, their cards. */
export const identity: ServiceDefinition = {
  name: 'identity',
  migrations: new URL('../migrations/', import.meta.url),
  async start(host) {
    const { bus, cache, clock, config, database, ids, limiter, limits, outbox, random, sealer } = host;
    const federation = host.peer('federation', FederationService);
    const context: Context = {
      homeNames: { ownHome: config.home, devHomes: config.devHomes },
      siteUrl: config.siteUrl,
      clock,
      ids,
      random,
      database,
      lookups: createLookups(database.db),
      outbox,
      bus,
      limits: createAiLimits(limits, limiter, clock),
      cards: createCards({ home: config.home, clock, cache, federation }),
      claimLinks: createClaimLinks(sealer, config.siteUrl),
      signUps: createIdempotency({
        database,
        schema: 'identity',
        clock,
        keptForMs: sizeOf(limits, 'request_id_days') * day,
      }),
      messages: host.peer('messages', MessagesService),
    };
    host.serve(IdentityService, handlers(context));
    startNotes(host);
    host.every('purge of request ids', hour, () => context.signUps.purge());
    host.every('purge of ended keys', hour, () => purgeKeys(database, clock));
  },
};
