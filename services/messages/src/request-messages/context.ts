import type { ItemNotes } from '@hearth/items';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { PeopleService } from '@hearth/proto/identity/v1/people';
import type { Client } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';

export type Context = HostParts<'people'> & {
  items: ItemNotes;
  ais: Pick<Client<typeof AisService>, 'findAis'>;
  /** Asked where facts kept in memory may be older than an event. */
  identity: Pick<Client<typeof PeopleService>, 'findPeople'>;
};
