import type { HomeNames } from '@hearth/addresses';
import type { Clock } from '@hearth/clock';
import type { Database } from '@hearth/db';
import type { Ids } from '@hearth/ids';
import type { Limiter, Limits } from '@hearth/limits';
import type { Outbox } from '@hearth/outbox';
import type { Contacts } from './actions/contacts.ts';
import type { Correspondents } from './actions/correspondents.ts';
import type { LandTools } from './actions/place-message.ts';
import type { Sender } from './actions/sender.ts';
import type { ShownPeople } from './actions/shown-people.ts';
import type { Turns } from './actions/take-turns.ts';
import type { NextUnread } from './db/next-unread.ts';

/** What the handlers of this service work with. */
export interface Context {
  /** How this home's addresses are told from those of others. */
  homeNames: HomeNames;
  clock: Clock;
  ids: Ids;
  database: Database;
  outbox: Outbox;
  limits: Limits;
  limiter: Limiter;
  correspondents: Correspondents;
  contacts: Contacts;
  groups: LandTools['groups'];
  people: LandTools['people'];
  blocks: LandTools['blocks'];
  checkReach: LandTools['checkReach'];
  shownPeople: ShownPeople;
  sender: Sender;
  turns: Turns;
  nextUnread: NextUnread;
}
