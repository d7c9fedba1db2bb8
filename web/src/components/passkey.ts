import { t } from '@hearth/i18n';
import { attributes, html } from '../html.ts';

/** The passkey hint, and the place for the script's errors, whose texts are in attributes. */
export const passkeyWords = html`<p class="hint">${t('sign-in.passkey-hint')}</p>
<p ${attributes({
  class: 'error',
  role: 'status',
  hidden: true,
  'data-passkey-error': true,
  'data-unused': t('sign-in.passkey-unused'),
  'data-exists': t('sign-in.passkey-exists'),
  'data-failed': t('sign-in.passkey-failed'),
})}></p>`;
