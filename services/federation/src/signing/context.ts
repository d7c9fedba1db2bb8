import type { Clock } from '@hearth/clock';
import type { Database } from '@hearth/db';
import type { Documents } from './actions/documents.ts';
import type { KeyRing } from './actions/key-ring.ts';

/** What the rpcs of this service work with. */
export interface Context {
  /** The home's name. */
  home: string;
  clock: Clock;
  keyRing: KeyRing;
  documents: Documents;
}

/** What the rpcs of kept records work with. */
export interface RecordsContext {
  /** The home's name. */
  home: string;
  clock: Clock;
  keyRing: KeyRing;
  database: Database;
}
