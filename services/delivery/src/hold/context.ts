import type { Host } from '@hearth/runtime';
import type { Mailer } from '../shared/domain/mail.ts';
import type { Signalled } from './domain/signalled.ts';
import type { Watchers } from './domain/watchers.ts';

export type Context = Pick<Host, 'bus' | 'clock' | 'commit' | 'config' | 'database' | 'ids' | 'log'> & {
  watchers: Watchers;
  signalled: Signalled;
  mailer: Mailer;
};
