import type { Engine } from '@hearth/outbound';
import type { HostParts } from '@hearth/runtime';
import type { Homes } from '../homes/module.ts';
import type { KeyRing } from '../signing/module.ts';
import type { Acquaintances } from './actions/acquaintances.ts';
import type { FirstContacts } from './actions/first-contacts.ts';
import type { HandOver } from './actions/hand-over.ts';
import type { Receivers } from './actions/receivers.ts';

export type Context = HostParts<'homeNames' | 'limiter' | 'log' | 'outbox' | 'random'> & {
  /** This home's name. */
  home: string;
  /** As in its document, without a trailing slash. */
  endpoint: string;
  /** Names that may have a port, including this home's own. */
  devHomes: readonly string[];
  keyRing: KeyRing;
  homes: Homes;
  engine: Pick<Engine, 'poke'>;
  receivers: Receivers;
  handOver: HandOver;
  firstContacts: FirstContacts;
  acquaintances: Acquaintances;
};
