import type { Clock } from '@hearth/clock';
import type { Documents } from './documents.ts';
import type { KeyRing } from './key-ring.ts';

/** What the rpcs of this service work with. */
export interface Context {
  /** The home's name. */
  home: string;
  clock: Clock;
  keyRing: KeyRing;
  documents: Documents;
}
