import type { Host } from '@hearth/runtime';

export type Context = Pick<Host, 'bus' | 'clock' | 'database' | 'ids' | 'log'>;
