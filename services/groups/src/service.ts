import { day, hour, second } from '@hearth/clock';
import { sizeOf } from '@hearth/limits';
import { createPeople } from '@hearth/people';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { createIdempotency } from '@hearth/requests';
import type { Host, ServiceDefinition } from '@hearth/runtime';
import { followPeople } from './groups/consumers/on-people-changed.ts';
import type { Context } from './groups/context.ts';
import { archiveEnded } from './groups/jobs/archive-ended.ts';
import { purgeDepartures } from './groups/jobs/purge-departures.ts';
import { groupsHandlers } from './groups/rpc/index.ts';
import { startInvites } from './invites/module.ts';
import { heardTypes } from './shared/domain/event-ids.ts';

/** Who belongs to what: groups, members, invites. */
export const groups: ServiceDefinition = {
  name: 'groups',
  migrations: new URL('../migrations/', import.meta.url),
  async start(host) {
    const context = createContext(host);
    host.serve(GroupsService, groupsHandlers(context));
    startInvites(host, context);
    host.hear({
      durable: 'people',
      types: heardTypes,
      handle: (heard) =>
        followPeople(
          context,
          heard.map(({ event }) => event),
        ),
    });
    host.every('end of groups', 15 * second, () => archiveEnded(context));
    host.every('purge of departures', hour, () => purgeDepartures(context));
    host.every('purge of request ids', hour, () => context.requests.purge());
  },
};

function createContext(host: Host): Context {
  const { bus, clock, config, database, ids, limiter, limits, log, outbox, random, sealer } = host;
  const people = host.peer('identity', PeopleService);
  return {
    homeNames: { ownHome: config.home, devHomes: config.devHomes },
    siteUrl: config.siteUrl,
    clock,
    ids,
    random,
    log,
    database,
    outbox,
    limits,
    limiter,
    people: createPeople({ identity: people, bus, clock, sealer }),
    identity: { people, ais: host.peer('identity', AisService) },
    requests: createIdempotency({
      database,
      schema: 'groups',
      clock,
      keptForMs: sizeOf(limits, 'request_id_days') * day,
    }),
  };
}
