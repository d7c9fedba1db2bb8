import type { HostParts } from '@hearth/runtime';
import type { IdentityParts } from '../shared/actions/parts.ts';

export type Context = HostParts<'random'> & Pick<IdentityParts, 'people'>;
