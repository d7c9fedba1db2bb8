import { type Errors, field } from '../components/field.ts';
import { button, type Carried, form } from '../components/form.ts';
import { errorSummary, hasErrors, notice } from '../components/notice.ts';
import { type Frame, page } from '../frame.ts';
import { html } from '../html.ts';

export interface SixDigits {
  /** The address that the digits were sent to. */
  email: string;
  /** For how long they work, in minutes. */
  minutes: number;
  /** They were sent again just now. */
  sentAgain?: boolean;
  errors?: Errors<'code'>;
}

export interface SixDigitsForms {
  /** Takes `code` and what is carried. */
  check: { action: string; carried?: Carried | undefined; label: string };
  /** Takes what is carried, with `email` and `again`. */
  sendAgain: { action: string; carried?: Carried | undefined };
  /** The page that asks for an address. */
  otherAddress: string;
}

/** Asks for the six digits that were sent by e-mail. */
export function sixDigitsPage(frame: Frame, model: SixDigits, forms: SixDigitsForms): string {
  const { email, minutes, sentAgain, errors = {} } = model;
  const { check, sendAgain, otherAddress } = forms;
  const main = html`<h1>Enter the six digits</h1>
${errorSummary(errors)}
${sentAgain && notice('good', 'New digits are on their way', 'The ones before do not work any more.')}
<div class="card">
${form(
  frame,
  { action: check.action, carried: check.carried },
  html`${field({
    name: 'code',
    label: 'Six digits',
    autocomplete: 'one-time-code',
    inputMode: 'numeric',
    maxLength: 12,
    look: 'code',
    literal: true,
    autofocus: !hasErrors(errors),
    hint: html`We sent them to <strong class="break">${email}</strong>. They work for ${minutes} minutes. After many wrong tries the e-mail has eight.`,
    error: errors.code,
  })}
${button(check.label)}`,
)}
</div>
<section class="card" aria-labelledby="nothing-came">
<h2 id="nothing-came">Nothing came?</h2>
<p>Look among the unwanted mail, or let us send new digits.</p>
<div class="actions">
${form(
  frame,
  { action: sendAgain.action, carried: { ...sendAgain.carried, email, again: 'yes' } },
  button('Send new digits', { kind: 'plain' }),
)}
<a class="quiet-link" href="${otherAddress}">Use another address</a>
</div>
</section>`;
  return page(frame, { title: 'Enter the six digits', main, hasErrors: hasErrors(errors), narrow: true });
}
