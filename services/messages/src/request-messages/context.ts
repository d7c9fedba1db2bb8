import type { ItemNotes } from '@hearth/items';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { Client } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';

export type Context = HostParts<'people'> & {
  items: ItemNotes;
  ais: Pick<Client<typeof AisService>, 'findAis'>;
};
