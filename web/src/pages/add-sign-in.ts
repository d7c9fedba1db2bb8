import { type Errors, field } from '../components/field.ts';
import { button, form } from '../components/form.ts';
import { errorSummary, hasErrors } from '../components/notice.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { paths } from '../paths.ts';
import { type SixDigits, sixDigitsPage } from './six-digits.ts';

export interface AddSignIn {
  guest: boolean;
  /** Offers a passkey as well. */
  passkeys: boolean;
  email?: string;
  errors?: Errors<'email'>;
}

/**
 * A guest's first sign-in, or another e-mail address. Form: `email` to paths.addSignIn. The script of passkeys asks
 * paths.addSignInPasskeyOptions and answers to paths.addSignInPasskey.
 */
export function addSignInPage(frame: Frame, { guest, passkeys, email, errors = {} }: AddSignIn): string {
  const title = guest ? 'Add a sign-in' : 'Use another e-mail address';
  const main = html`${back}
<h1>${title}</h1>
${errorSummary(errors)}
<div class="card">
${passkeys && passkeySection(frame)}
<section aria-labelledby="by-email">
<h2 id="by-email">By e-mail</h2>
${form(
  frame,
  { action: paths.addSignIn },
  html`${field({
    name: 'email',
    label: 'E-mail address',
    type: 'email',
    value: email,
    autocomplete: 'email',
    inputMode: 'email',
    maxLength: 254,
    literal: true,
    hint: guest
      ? 'We send you six digits. From then on you sign in with this address.'
      : 'We send you six digits. From then on this address signs you in, and the one before does not.',
    error: errors.email,
  })}
${button('E-mail me six digits')}`,
)}
</section>
</div>`;
  return page(frame, { title, main, hasErrors: hasErrors(errors), narrow: true, script: passkeys });
}

const back = html`<p class="back"><a href="${paths.me}">Your account</a></p>`;

function passkeySection(frame: Frame): Html {
  return html`<section class="passkey" data-passkey="create" data-options="${paths.addSignInPasskeyOptions}" data-answer="${paths.addSignInPasskey}" hidden aria-labelledby="by-passkey">
<h2 id="by-passkey">By passkey</h2>
${form(frame, { action: paths.addSignIn }, button('Make a passkey'))}
<p class="hint">Your finger, your face or your screen lock says that it is you.</p>
<p class="error" data-passkey-error role="status" hidden></p>
<p class="or" aria-hidden="true"><span>or</span></p>
</section>`;
}

/** The six digits. Forms: `code` (and `email`) to paths.addSignInCode; `email` and `again` to paths.addSignIn. */
export const addSignInCodePage = (frame: Frame, model: SixDigits): string =>
  sixDigitsPage(frame, model, {
    check: {
      action: paths.addSignInCode,
      carried: { email: model.email },
      label: 'Sign in with it from now on',
    },
    sendAgain: { action: paths.addSignIn },
    otherAddress: paths.addSignIn,
  });
