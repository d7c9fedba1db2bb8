import type { HomeNames } from '@hearth/addresses';
import type { Clock } from '@hearth/clock';
import type { Database } from '@hearth/db';
import type { Ids } from '@hearth/ids';
import type { Limiter, Limits } from '@hearth/limits';
import type { Outbox } from '@hearth/outbox';
import type { Contacts } from './contacts.ts';
import type { NextUnread } from './db/next-unread.ts';
import type { Profiles } from './profiles.ts';
import type { Sender } from './send/sender.ts';
import type { Turns } from './send/take-turns.ts';

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
  profiles: Profiles;
  contacts: Contacts;
  sender: Sender;
  turns: Turns;
  nextUnread: NextUnread;
}
