import { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { type Ages, createAges } from './ages.ts';
import { type AiLookup, createAiLookup } from './ai-lookup.ts';
import { type ClaimLinks, createClaimLinks } from './claim-links.ts';
import { createPeopleLookups, type PeopleLookups } from './people-lookups.ts';
import { createVisibility, type VisibilityRules } from './visibility.ts';

/** Lookups and rules shared by several modules, created once per process. */
export interface IdentityParts {
  ages: Ages;
  people: PeopleLookups;
  ais: AiLookup;
  claimLinks: ClaimLinks;
  visibility: VisibilityRules;
  groups: Pick<
    Client<typeof GroupsService>,
    'shareGroup' | 'findMembership' | 'findGroups' | 'listGroupIds' | 'dropPerson'
  >;
}

export function createParts(host: Host): IdentityParts {
  const { clock, config, database, homeNames, sealer } = host;
  const { consentAges, siteUrl, timeZone } = config;
  const ages = createAges({ clock, sealer, timeZone, consentAges });
  const people = createPeopleLookups({ database, clock, sealer, ages, homeNames });
  const groups = host.peer('groups', GroupsService);
  return {
    ages,
    people,
    ais: createAiLookup(database.db, clock),
    claimLinks: createClaimLinks(sealer, siteUrl),
    visibility: createVisibility({ people, groups }),
    groups,
  };
}
