import type { Host } from '@hearth/runtime';
import type { Rates } from '../limits/module.ts';
import type { Sessions } from '../sessions/module.ts';
import type { AddPage } from './page.ts';
import type { Services } from './services.ts';

/** The pages for people are made with it. */
export interface Context extends Pick<Host, 'clock' | 'config' | 'limits'>, Services {
  addPage: AddPage;
  rates: Pick<Rates, 'spend'>;
  sessions: Pick<Sessions, 'begin' | 'forget'>;
  /** Browsers make no passkeys for an IP address. */
  passkeys: boolean;
}
