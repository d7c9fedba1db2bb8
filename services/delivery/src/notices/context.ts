import type { Host } from '@hearth/runtime';
import type { AppEvents } from '../app-deliveries/module.ts';
import type { Outbound } from '../shared/domain/outbound.ts';
import type { PageLinks } from './actions/page-links.ts';

export type Context = Pick<Host, 'clock' | 'database' | 'languages' | 'limits' | 'people'> & {
  appEvents: AppEvents;
  outbound: Pick<Outbound, 'poke'>;
  links: PageLinks;
};
