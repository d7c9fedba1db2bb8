import { type Language, t, wordMail } from '@hearth/i18n';
import { fixed } from '@hearth/limits';
import { showCode } from './sign-in-rules.ts';

/** The e-mail with the digits by which a person signs in, or gives an account this address. */
export function codeMail(home: string, digits: string, language: Language) {
  const code = showCode(digits);
  return wordMail(language, t('mails.code-subject', { code, home }), [
    t('mails.code', { home }),
    `    ${code}`,
    t('mails.code-more', { minutes: fixed.sign_in_code_minutes }),
    t('mails.code-unasked'),
  ]);
}
