import type { FederationService } from '@hearth/proto/federation/v1/federation';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Client } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import type { Outbound } from '../shared/domain/outbound.ts';
import type { StreamAnswer, Streams } from '../streams/module.ts';

export type { StreamAnswer };

export type Context = Pick<Host, 'clock' | 'database' | 'ids' | 'limiter' | 'limits' | 'log' | 'sealer'> & {
  outbound: Outbound;
  streams: Streams;
  ais: Pick<Client<typeof AisService>, 'findAis'>;
  facts: Pick<Client<typeof PeopleService>, 'findPeople'>;
  federation: Pick<Client<typeof FederationService>, 'signWebhook'>;
  groups: Pick<Client<typeof GroupsService>, 'findMembership'>;
  identity: Pick<Client<typeof IdentityService>, 'noteWakes'>;
};
