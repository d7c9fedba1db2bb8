import { type Language, t, wordMail } from '@hearth/i18n';
import { showCode } from './sign-in-rules.ts';

interface SentCode {
  home: string;
  digits: string;
  /** How long the code works. */
  minutes: number;
}

/** The mail with the code to sign in, or to add this address to an account. */
export function codeMail({ home, digits, minutes }: SentCode, language: Language) {
  const code = showCode(digits);
  return wordMail(language, t('mails.code-subject', { code, home }), [
    t('mails.code', { home }),
    `    ${code}`,
    t('mails.code-more', { minutes }),
    t('mails.code-unasked'),
  ]);
}
