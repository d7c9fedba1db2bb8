import { day } from '@hearth/clock';
import { sizeOf } from '@hearth/limits';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { createIdempotency } from '@hearth/requests';
import type { Host } from '@hearth/runtime';
import { createAges } from './ages.ts';
import type { PeopleContext } from './people-context.ts';
import { createPeopleLookups } from './people-lookups.ts';
import { peopleHandlers } from './rpc/people/index.ts';

/** People: their accounts, guardians, and the end of both. */
export function startPeople(host: Host): void {
  const { bus, clock, config, database, ids, limits, outbox, random, sealer } = host;
  const homeNames = { ownHome: config.home, devHomes: config.devHomes };
  const { timeZone, consentAges, siteUrl } = config;
  const ages = createAges({ clock, sealer, timeZone, consentAges });
  const context: PeopleContext = {
    homeNames,
    siteUrl,
    timeZone,
    clock,
    ids,
    random,
    database,
    outbox,
    bus,
    ages,
    lookups: createPeopleLookups({ db: database.db, clock, sealer, ages, homeNames }),
    creations: createIdempotency({
      database,
      schema: 'identity',
      clock,
      keptForMs: sizeOf(limits, 'request_id_days') * day,
    }),
    groups: host.peer('groups', GroupsService),
  };
  host.serve(PeopleService, peopleHandlers(context));
}
