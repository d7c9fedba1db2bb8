import type { Host } from '@hearth/runtime';
import type { KeyChanges } from './actions/change-keys.ts';
import type { Documents } from './actions/documents.ts';
import type { KeyRing } from './actions/key-ring.ts';

export type Context = Pick<
  Host,
  'clock' | 'commit' | 'database' | 'limits' | 'log' | 'random' | 'sealer' | 'seals'
> & {
  /** The home's name. */
  home: string;
  keyRing: KeyRing;
  documents: Documents;
  changes: KeyChanges;
};
