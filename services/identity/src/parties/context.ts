import type { Reader } from '@hearth/proto-json';
import type { Host } from '@hearth/runtime';
import type { KnownParties } from './db/known-parties.ts';

export type Context = Pick<Host, 'clock' | 'commit' | 'database' | 'homeNames' | 'ids'> & {
  /** Reads another home's description of a sender. */
  reader: Reader;
  known: KnownParties;
};
