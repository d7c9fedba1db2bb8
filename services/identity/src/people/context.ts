import type { HomeNames } from '@hearth/addresses';
import type { Bus } from '@hearth/bus';
import type { Clock } from '@hearth/clock';
import type { Database } from '@hearth/db';
import type { Ids, Random } from '@hearth/ids';
import type { Outbox } from '@hearth/outbox';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { Idempotency } from '@hearth/requests';
import type { Client } from '@hearth/rpc';
import type { Ages } from '../shared/actions/ages.ts';
import type { ClaimLinks } from '../shared/actions/claim-links.ts';
import type { PeopleLookups } from '../shared/actions/people-lookups.ts';

/** What the rpcs and jobs about people work with. */
export interface PeopleContext {
  homeNames: HomeNames;
  siteUrl: string;
  /** The home's own, IANA. */
  timeZone: string;
  /** The limits handle_change_days, old_handle_days and deletion_days. */
  days: { handleChange: number; oldHandle: number; deletion: number };
  clock: Clock;
  ids: Ids;
  random: Random;
  database: Database;
  outbox: Outbox;
  bus: Pick<Bus, 'signal'>;
  ages: Ages;
  /** For AIs that lose their person. */
  claimLinks: Pick<ClaimLinks, 'hashOf'>;
  lookups: PeopleLookups;
  /** create_person by its request_id: the person that it made. */
  creations: Idempotency<{ person: string }>;
  groups: Pick<Client<typeof GroupsService>, 'shareGroup' | 'findMembership' | 'listGroupIds' | 'dropPerson'>;
  messages: Pick<Client<typeof MessagesService>, 'listContacts'>;
}
