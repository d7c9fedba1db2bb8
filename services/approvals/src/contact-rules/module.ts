import { day } from '@hearth/clock';
import { createPeople, isMinor, type People } from '@hearth/people';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import type { Event } from '@hearth/proto/events/v1/events';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { InvitationsService } from '@hearth/proto/groups/v1/invitations';
import { AisService } from '@hearth/proto/identity/v1/ais';
import { IdentityService } from '@hearth/proto/identity/v1/identity';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { RequestMessagesService } from '@hearth/proto/messages/v1/request_messages';
import type { Host } from '@hearth/runtime';
import type { Rules } from '../asks/context.ts';
import { countElsewhere } from '../requests/actions/count-elsewhere.ts';
import { passInvite } from '../requests/actions/pass-invite.ts';
import { relabelOther } from '../requests/actions/relabel-other.ts';
import { createReach, type Reach } from './actions/contact-policy.ts';
import type { Asks, RulesContext } from './context.ts';
import { purgeCounts } from './db/rule-counts.ts';
import { deleteRulesOf, findRules } from './db/rules.ts';
import { labelSender } from './db/senders.ts';
import { rulesFor } from './domain/rules-of.ts';
import { weekOf } from './domain/week.ts';
import { requestRulesHandlers } from './rpc/index.ts';

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
export function startRules(host: Host, reach: Reach, asks: Asks): void {
  const { clock, config, database, ids, outbox, sealer } = host;
  const context: RulesContext = {
    homeNames: { ownHome: config.home, devHomes: config.devHomes },
    clock,
    ids,
    database,
    outbox,
    people: peopleFor(host),
    ais: host.peer('identity', AisService),
    profiles: host.peer('identity', IdentityService),
    reach,
    sealer,
    asks,
  };
  host.serve(RequestRulesService, requestRulesHandlers(context));
  host.every('purge of weekly counts', day, () => purgeCounts(database, weekOf(clock.now() - keptMs)));
  host.hear({
    durable: 'erasure',
    types: ['account_deleted'],
    handle: (heard) =>
      eraseRules(
        database,
        heard.map(({ event }) => event),
      ),
  });
}

/** What the rules do for asks. */
export function rulesForAsks(host: Host, reach: Reach): Rules {
  const { clock, database } = host;
  const people = peopleFor(host);
  const relabel = createRelabel({ clock, database, people });
  const others = {
    clock,
    database,
    messages: host.peer('messages', RequestMessagesService),
    invitations: host.peer('groups', InvitationsService),
  };
  return {
    reach,
    relabel,
    passInvite: (id, note, call) => passInvite({ ...others, people }, id, note, call),
    relabelOther: (id, kind, call) => relabelOther(others, relabel, { id, kind }, call),
    countElsewhere: (owner, person, call) => countElsewhere(others, { owner, person }, call),
  };
}

function peopleFor({ bus, clock, peer, sealer }: Host): People {
  return createPeople({ identity: peer('identity', PeopleService), bus, clock, sealer });
}

/** Of whose account is gone nothing stays that they set, counted, remembered or blocked. */
async function eraseRules(database: Host['database'], events: readonly Event[]): Promise<void> {
  const people = events.flatMap(({ data }) => (data.case === 'accountDeleted' ? data.value.deleted : []));
  for (const person of people) await database.transaction((tx) => deleteRulesOf(tx, person));
}

/** Notes as which kind a sender counts for a person from now on; what that person's rule for the kind does. */
function createRelabel({
  clock,
  database,
  people,
}: Pick<RulesContext, 'clock' | 'database' | 'people'>): Rules['relabel'] {
  return async (person, sender, kind) => {
    await database.statement((tx) => labelSender(tx, person, sender, kind, new Date(clock.now())));
    const [rules, facts] = await Promise.all([findRules(database.db, [person]), people.findOne(person)]);
    const minor = facts !== null && isMinor(facts);
    return rulesFor(rules.get(person) ?? null, minor).rows[kind].action;
  };
}
