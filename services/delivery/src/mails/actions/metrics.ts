import { counter } from '@hearth/telemetry';
import type { MailSource } from '../../shared/db/mails.ts';

const mails = counter('hearth.delivery.mails', {
  description: 'Emails that were tried, by their purpose.',
  unit: '{mail}',
});

/** Counts a mail by outcome; `not_sent` means it may no longer be sent. */
export function recordMail(source: MailSource, outcome: 'sent' | 'failed' | 'given_up' | 'not_sent'): void {
  mails(1, { 'hearth.kind': source, 'hearth.outcome': outcome });
}
