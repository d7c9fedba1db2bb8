import { type Language, t, wordMail } from '@hearth/i18n';
import type { DisabledWhy } from '../../shared/db/app-streams.ts';

/** The email to the contact of an app whose webhook address was disabled. */
export function disabledMail(
  { home, app, why }: { home: string; app: string; why: DisabledWhy },
  language: Language,
): { subject: string; text: string } {
  return wordMail(language, t('mails.webhook-subject', { app }), [
    t('mails.webhook', { home, app, why: why === 'gone' ? why : 'other' }),
    t('mails.webhook-more'),
  ]);
}
