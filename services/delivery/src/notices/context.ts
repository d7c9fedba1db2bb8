import type { Host } from '@hearth/runtime';
import type { AppEvents } from '../app-deliveries/module.ts';
import type { Mailer } from '../shared/domain/mail.ts';
import type { PageLinks } from './actions/page-links.ts';

export type Context = Pick<Host, 'clock' | 'config' | 'database' | 'limits' | 'log' | 'people'> & {
  appEvents: AppEvents;
  mailer: Mailer;
  links: PageLinks;
  /** E-mails are due. */
  mailsDue(): void;
};
