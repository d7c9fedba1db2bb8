import type { Host } from '@hearth/runtime';
import type { Documents } from './actions/documents.ts';
import type { KeyRing } from './actions/key-ring.ts';

export type Context = Pick<Host, 'clock'> & {
  /** The home's name. */
  home: string;
  keyRing: KeyRing;
  documents: Documents;
};
