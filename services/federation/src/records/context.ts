import type { Host } from '@hearth/runtime';
import type { KeyRing } from '../signing/module.ts';

export type Context = Pick<Host, 'clock' | 'database'> & {
  /** The home's name. */
  home: string;
  keyRing: KeyRing;
};
