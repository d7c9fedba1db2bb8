import type { Host } from '@hearth/runtime';

export type Context = Pick<Host, 'database' | 'limits'>;
