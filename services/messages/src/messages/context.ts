import type { KeyedMutex } from '@hearth/coalesce';
import type { ItemNotes } from '@hearth/items';
import type { OtherHomes } from '@hearth/people';
import type { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { PartiesService } from '@hearth/proto/identity/v1/parties';
import type { Client } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import type { Blocks } from './actions/blocks.ts';
import type { Contacts } from './actions/contacts.ts';
import type { Profiles } from './actions/profiles.ts';
import type { Sender } from './actions/sender.ts';
import type { NextUnread } from './db/next-unread.ts';
import type { References } from './db/references.ts';

export type Context = HostParts<'homeNames' | 'limiter' | 'outbox' | 'people' | 'random' | 'sealer'> & {
  profiles: Profiles;
  contacts: Contacts;
  blocks: Blocks;
  groups: Pick<Client<typeof GroupsService>, 'shareGroup' | 'findMembership'>;
  parties: Pick<Client<typeof PartiesService>, 'meetParty'>;
  homes: OtherHomes;
  requestRules: Pick<Client<typeof RequestRulesService>, 'checkReach'>;
  sender: Sender;
  items: ItemNotes;
  /** By caller, operation and request_id, so that a repeated request finds the first one's result. */
  sends: KeyedMutex;
  nextUnread: NextUnread;
  references: References;
};
