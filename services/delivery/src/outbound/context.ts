import type { Host } from '@hearth/runtime';

/** What the engine works with. */
export type Context = Pick<Host, 'bus' | 'clock' | 'database' | 'ids' | 'log'>;
