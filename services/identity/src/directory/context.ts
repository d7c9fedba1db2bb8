import type { HomeNames } from '@hearth/addresses';
import type { Bus } from '@hearth/bus';
import type { Clock } from '@hearth/clock';
import type { Database } from '@hearth/db';
import type { Ids, Random } from '@hearth/ids';
import type { Outbox } from '@hearth/outbox';
import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { Idempotency } from '@hearth/requests';
import type { Client } from '@hearth/rpc';
import type { AiLimits } from '../shared/actions/ai-limits.ts';
import type { ClaimLinks } from '../shared/actions/claim-links.ts';
import type { Groups } from '../shared/actions/groups.ts';
import type { PeopleLookups } from '../shared/actions/people-lookups.ts';
import type { Sights } from '../shared/actions/visibility.ts';
import type { Accepts } from './actions/accepts.ts';
import type { Cards } from './actions/cards.ts';
import type { Lookups } from './actions/lookups.ts';

/** What the rpcs of this service work with. */
export interface Context {
  /** How this home's addresses are told from those of others. */
  homeNames: HomeNames;
  /** The origin at which the home is reached: https://home.example */
  siteUrl: string;
  clock: Clock;
  ids: Ids;
  random: Random;
  database: Database;
  lookups: Lookups;
  outbox: Outbox;
  bus: Pick<Bus, 'signal'>;
  limits: AiLimits;
  cards: Cards;
  accepts: Accepts;
  claimLinks: ClaimLinks;
  /** sign_up and create_ai by their request_ids: the AI that each made. */
  aiRequests: Idempotency<{ ai: string }>;
  people: PeopleLookups;
  groups: Groups;
  sights: Sights;
  messages: Pick<Client<typeof MessagesService>, 'countUnread'>;
  approvals: Pick<Client<typeof ApprovalsService>, 'countWaiting'>;
}
