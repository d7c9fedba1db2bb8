import { t } from '@hearth/i18n';
import { attributes, html } from '../html.ts';

/** The hint for a passkey, and the place where the script says why it failed, in the words of these attributes. */
export const passkeyWords = html`<p class="hint">${t('sign-in.passkey-hint')}</p>
<p ${attributes({
  class: 'error',
  role: 'status',
  hidden: true,
  'data-passkey-error': true,
  'data-unused': t('sign-in.passkey-unused'),
  'data-exists': t('sign-in.passkey-exists'),
  'data-failed': t('sign-in.passkey-failed', { reason: '{reason}' }),
})}></p>`;
