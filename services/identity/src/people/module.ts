import { day, hour, second } from '@hearth/clock';
import { sizeOf } from '@hearth/limits';
import { GroupsService } from '@hearth/proto/groups/v1/groups';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { MessagesService } from '@hearth/proto/messages/v1/messages';
import { createIdempotency } from '@hearth/requests';
import type { Host } from '@hearth/runtime';
import { createAges } from '../shared/actions/ages.ts';
import { createClaimLinks } from '../shared/actions/claim-links.ts';
import { createPeopleLookups } from '../shared/actions/people-lookups.ts';
import { createSignInContext } from '../sign-in/context.ts';
import type { PeopleContext } from './context.ts';
import { peopleHandlers } from './handlers.ts';
import { deleteAccounts } from './jobs/delete-accounts.ts';
import { nightlyAgeBands } from './jobs/move-age-bands.ts';
import { claimGuest } from './rpc/claim-guest.ts';

/** People: their accounts, guardians, and the end of both. */
export function startPeople(host: Host): void {
  const context = createPeopleContext(host);
  const signIn = createSignInContext(host, context);
  host.serve(PeopleService, { ...peopleHandlers(context), claimGuest: claimGuest(signIn) });
  host.every('age bands', hour, nightlyAgeBands(context));
  host.every('deletion of accounts', 10 * second, () => deleteAccounts(context, host.log));
}

/** Also for sign-in, which makes people and changes them. */
export function createPeopleContext(host: Host): PeopleContext {
  const { bus, clock, config, database, ids, limits, outbox, random, sealer } = host;
  const homeNames = { ownHome: config.home, devHomes: config.devHomes };
  const { timeZone, consentAges, siteUrl } = config;
  const ages = createAges({ clock, sealer, timeZone, consentAges });
  return {
    homeNames,
    siteUrl,
    timeZone,
    days: {
      handleChange: sizeOf(limits, 'handle_change_days'),
      oldHandle: sizeOf(limits, 'old_handle_days'),
      deletion: sizeOf(limits, 'deletion_days'),
    },
    clock,
    ids,
    random,
    database,
    outbox,
    bus,
    ages,
    claimLinks: createClaimLinks(sealer, siteUrl),
    lookups: createPeopleLookups({ db: database.db, clock, sealer, ages, homeNames }),
    creations: createIdempotency({
      database,
      schema: 'identity',
      clock,
      keptForMs: sizeOf(limits, 'request_id_days') * day,
    }),
    groups: host.peer('groups', GroupsService),
    messages: host.peer('messages', MessagesService),
  };
}
