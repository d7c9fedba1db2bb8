import type { HomeThings } from '@hearth/home-acts';
import type { ItemNotes } from '@hearth/items';
import type { PartiesService } from '@hearth/proto/identity/v1/parties';
import type { Reader } from '@hearth/proto-json';
import type { Client } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import type { ReceiveMessage } from '../messages/module.ts';

export type Context = HostParts<'homeNames'> & {
  receiveMessage: ReceiveMessage;
  /** Handles all items other than messages. */
  things: HomeThings;
  items: ItemNotes;
  /** Validates and cleans a message as the API does. */
  reader: Reader;
  parties: Pick<Client<typeof PartiesService>, 'meetParty'>;
};
