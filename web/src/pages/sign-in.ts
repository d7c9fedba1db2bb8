import { type Errors, field } from '../components/field.ts';
import { button, type Carried, form, linkButton } from '../components/form.ts';
import { errorSummary, hasErrors } from '../components/notice.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece } from '../html.ts';
import { paths } from '../paths.ts';
import { type SixDigits, sixDigitsPage } from './six-digits.ts';

export interface SignIn {
  /** Goes with every form of the page: where to go on to. */
  carried?: Carried;
  /** Why one has to sign in here, as '... to claim an AI'. */
  purpose?: Piece;
  /** The values that were typed before. */
  email?: string;
  invitation?: string;
  errors?: Errors<'email' | 'invitation'>;
  /** Whether this home takes passkeys. */
  passkeys: boolean;
}

/**
 * Sign in. Forms: `email` to paths.sendCode; `invitation` (a link or a code) to paths.openInvitation. The passkey
 * button appears with the script alone, which asks paths.passkeyOptions and answers to paths.passkey.
 */
export function signInPage(frame: Frame, model: SignIn): string {
  const { carried, purpose, email, invitation, errors = {}, passkeys } = model;
  const main = html`<h1>Sign in to ${frame.home}</h1>
${purpose && html`<p class="lead">${purpose}</p>`}
${errorSummary(errors)}
<div class="card">
${passkeys && passkeySection(frame, carried)}
<section aria-labelledby="by-email">
<h2 id="by-email">By e-mail</h2>
${form(
  frame,
  { action: paths.sendCode, carried },
  html`${field({
    name: 'email',
    label: 'E-mail address',
    type: 'email',
    value: email,
    autocomplete: 'email',
    inputMode: 'email',
    maxLength: 254,
    literal: true,
    hint: 'We send you six digits. New here? The same digits begin your account.',
    error: errors.email,
  })}
${button('E-mail me six digits')}`,
)}
</section>
</div>
<section class="card" aria-labelledby="invited">
<h2 id="invited">I was invited</h2>
${form(
  frame,
  { action: paths.openInvitation, carried },
  html`${field({
    name: 'invitation',
    label: 'The link or code that you were given',
    value: invitation,
    autocomplete: 'off',
    maxLength: 300,
    literal: true,
    hint: 'You see the group first. You can join some groups with a name alone.',
    error: errors.invitation,
  })}
${button('Open the invitation', { kind: 'plain' })}`,
)}
</section>`;
  return page(frame, {
    title: 'Sign in',
    main,
    hasErrors: hasErrors(errors),
    narrow: true,
    script: passkeys,
  });
}

function passkeySection(frame: Frame, carried: Carried | undefined): Html {
  return html`<section class="passkey" data-passkey="get" data-options="${paths.passkeyOptions}" data-answer="${paths.passkey}" hidden aria-labelledby="by-passkey">
<h2 id="by-passkey">By passkey</h2>
${form(frame, { action: paths.signIn, carried }, button('Sign in with a passkey'))}
${passkeyWords}
<p class="or" aria-hidden="true"><span>or</span></p>
</section>`;
}

const passkeyWords = html`<p class="hint">Your finger, your face or your screen lock says that it is you.</p>
<p class="error" data-passkey-error role="status" hidden></p>`;

export interface EnterCode extends SixDigits {
  carried?: Carried;
}

/** The six digits. Forms: `code` to paths.checkCode; `email` to paths.sendCode, for new ones. */
export const enterCodePage = (frame: Frame, { carried, ...model }: EnterCode): string =>
  sixDigitsPage(frame, model, {
    check: { action: paths.checkCode, carried, label: 'Sign in' },
    sendAgain: { action: paths.sendCode, carried },
    otherAddress: paths.signIn,
  });

export interface AddPasskey {
  carried?: Carried;
  /** Where to go on to. A path of this home. */
  next: string;
}

/**
 * Offers a passkey to who has just signed in. The script asks paths.newPasskeyOptions and answers to
 * paths.newPasskey; without it there is only the way on.
 */
export function addPasskeyPage(frame: Frame, { carried, next }: AddPasskey): string {
  const main = html`<h1>Sign in faster next time?</h1>
<div class="card">
<p>A passkey takes the place of the six digits: this device asks for your finger, your face or your screen lock. No stranger can guess it or trick you out of it.</p>
<section data-passkey="create" data-options="${paths.newPasskeyOptions}" data-answer="${paths.newPasskey}" hidden>
${form(frame, { action: paths.newPasskey, carried }, button('Make a passkey'))}
${passkeyWords}
</section>
<p class="actions">${linkButton('Go on without', next)}</p>
</div>`;
  return page(frame, { title: 'Sign in faster next time?', main, narrow: true, script: true });
}
