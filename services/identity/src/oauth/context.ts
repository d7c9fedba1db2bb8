import type { Host } from '@hearth/runtime';
import type { Parts } from '../shared/actions/parts.ts';

export type Context = Pick<Host, 'clock' | 'commit' | 'database' | 'ids' | 'limits' | 'random'> &
  Pick<Parts, 'people'>;
