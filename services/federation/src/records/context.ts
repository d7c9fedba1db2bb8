import type { Host } from '@hearth/runtime';
import type { Homes } from '../homes/module.ts';
import type { KeyRing } from '../signing/module.ts';

export type Context = Pick<Host, 'clock' | 'database'> & {
  /** The home's name. */
  home: string;
  homes: Pick<Homes, 'recordKeys'>;
  keyRing: KeyRing;
};
