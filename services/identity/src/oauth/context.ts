import type { HostParts } from '@hearth/runtime';
import type { Parts } from '../shared/actions/parts.ts';

export type Context = HostParts<'random'> & Pick<Parts, 'people'>;
