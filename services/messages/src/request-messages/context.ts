import type { ItemNotes } from '@hearth/items';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { Client } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';

export type Context = HostParts<'homeNames' | 'people'> & {
  items: ItemNotes;
  ais: Pick<Client<typeof AisService>, 'findAis'>;
  identity: Pick<Client<typeof IdentityService>, 'findProfiles'>;
};
