import { day } from '@hearth/clock';
import { createPeople } from '@hearth/people';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Host } from '@hearth/runtime';
import { purgeCounts } from './db/rule-counts.ts';
import { weekOf } from './domain/week.ts';
import { createReach, type Reach } from './reach/reach.ts';
import { requestRulesHandlers } from './rpc/request-rules/index.ts';
import type { RulesContext } from './rules-context.ts';

/** For how long the counts of past weeks are kept. */
const keptMs = 56 * day;

/** Who may reach whom: the rest of this service asks the same piece that answers the other services. */
export function startReach(host: Host): Reach {
  const { bus, clock, config, database, sealer } = host;
  return createReach({
    homeNames: { ownHome: config.home, devHomes: config.devHomes },
    clock,
    database,
    people: createPeople({ identity: host.peer('identity', PeopleService), bus, clock, sealer }),
    groups: host.peer('groups', GroupsService),
    ais: host.peer('identity', AisService),
  });
}

/** What a person lets reach them, and how. */
export function startRules(host: Host, reach: Reach): void {
  const { bus, clock, config, database, ids, outbox, sealer } = host;
  const context: RulesContext = {
    homeNames: { ownHome: config.home, devHomes: config.devHomes },
    clock,
    ids,
    database,
    outbox,
    people: createPeople({ identity: host.peer('identity', PeopleService), bus, clock, sealer }),
    ais: host.peer('identity', AisService),
    profiles: host.peer('identity', IdentityService),
    reach,
  };
  host.serve(RequestRulesService, requestRulesHandlers(context));
  host.every('purge of weekly counts', day, () => purgeCounts(database, weekOf(clock.now() - keptMs)));
}
