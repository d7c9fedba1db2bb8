import { t } from '@hearth/i18n';
import { type Errors, field } from '../components/field.ts';
import { button, type Carried, form } from '../components/form.ts';
import { errorSummary, hasErrors, notice } from '../components/notice.ts';
import { type Frame, page } from '../frame.ts';
import { html, type Words } from '../html.ts';

export interface SixDigits {
  /** The address that the code was sent to. */
  email: string;
  /** Minutes for which the code works. */
  minutes: number;
  /** A new code was sent just now. */
  sentAgain?: boolean;
  errors?: Errors<'code'>;
}

export interface SixDigitsForms {
  /** Takes `code` and the carried values. */
  check: { action: string; carried?: Carried | undefined; label: Words };
  /** Takes the carried values, with `email` and `again`. */
  sendAgain: { action: string; carried?: Carried | undefined };
  /** The page that asks for an address. */
  otherAddress: string;
}

/** Asks for the code that was sent by email. */
export function sixDigitsPage(frame: Frame, model: SixDigits, forms: SixDigitsForms): string {
  const { email, minutes, sentAgain, errors = {} } = model;
  const { check, sendAgain, otherAddress } = forms;
  const main = html`<h1>${t('sign-in.code-title')}</h1>
${errorSummary(errors)}
${sentAgain && notice('good', t('sign-in.code-new'), t('sign-in.code-new-more'))}
<div class="card">
${form(
  frame,
  { action: check.action, carried: check.carried },
  html`${field({
    name: 'code',
    label: t('sign-in.code'),
    autocomplete: 'one-time-code',
    inputMode: 'numeric',
    maxLength: 12,
    look: 'code',
    literal: true,
    autofocus: !hasErrors(errors),
    hint: t('sign-in.code-hint', { email: html`<strong class="break">${email}</strong>`, minutes }),
    error: errors.code,
  })}
${button(check.label)}`,
)}
</div>
<section class="card" aria-labelledby="nothing-came">
<h2 id="nothing-came">${t('sign-in.code-missing')}</h2>
<p>${t('sign-in.code-missing-more')}</p>
<div class="actions">
${form(
  frame,
  { action: sendAgain.action, carried: { ...sendAgain.carried, email, again: 'yes' } },
  button(t('sign-in.code-again'), { kind: 'plain' }),
)}
<a class="quiet-link" href="${otherAddress}">${t('sign-in.other-address')}</a>
</div>
</section>`;
  return page(frame, { title: t('sign-in.code-title'), main, hasErrors: hasErrors(errors), narrow: true });
}
