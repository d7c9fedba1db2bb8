import { t } from '@hearth/i18n';
import { type Errors, field } from '../components/field.ts';
import { button, type Carried, form, linkButton } from '../components/form.ts';
import { errorSummary, hasErrors } from '../components/notice.ts';
import { passkeyWords } from '../components/passkey.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Words } from '../html.ts';
import { paths } from '../paths.ts';
import { type SixDigits, sixDigitsPage } from './six-digits.ts';

export interface SignIn {
  /** Goes with every form of the page: the page to go to next. */
  carried?: Carried;
  /** The reason to sign in, as "Sign in to open this page." */
  purpose?: Words | undefined;
  /** The values as typed before. */
  email?: string;
  invitation?: string;
  errors?: Errors<'email' | 'invitation'>;
  /** Whether this home takes passkeys. */
  passkeys: boolean;
}

/**
 * Signs a person in. Forms: `email` to paths.sendCode; `invitation` (a link or a code) to paths.openInvitation. The passkey
 * button only appears with the script, which asks paths.passkeyOptions and answers to paths.passkey.
 */
export function signInPage(frame: Frame, model: SignIn): string {
  const { carried, purpose, email, invitation, errors = {}, passkeys } = model;
  const main = html`<h1>${t('sign-in.title-home', { home: frame.home })}</h1>
${purpose && html`<p class="lead">${purpose}</p>`}
${errorSummary(errors)}
<div class="card">
${passkeys && passkeySection(frame, carried)}
<section aria-labelledby="by-email">
<h2 id="by-email">${t('sign-in.by-email')}</h2>
${form(
  frame,
  { action: paths.sendCode, carried },
  html`${field({
    name: 'email',
    label: t('sign-in.email'),
    type: 'email',
    value: email,
    autocomplete: 'email',
    inputMode: 'email',
    maxLength: 254,
    literal: true,
    hint: t('sign-in.email-hint'),
    error: errors.email,
  })}
${button(t('sign-in.send-code'))}`,
)}
</section>
</div>
<section class="card" aria-labelledby="invited">
<h2 id="invited">${t('sign-in.invited')}</h2>
${form(
  frame,
  { action: paths.openInvitation, carried },
  html`${field({
    name: 'invitation',
    label: t('sign-in.invite'),
    value: invitation,
    autocomplete: 'off',
    maxLength: 300,
    literal: true,
    hint: t('sign-in.invite-hint'),
    error: errors.invitation,
  })}
${button(t('sign-in.invite-open'), { kind: 'plain' })}`,
)}
</section>`;
  return page(frame, {
    title: t('sign-in.title'),
    main,
    hasErrors: hasErrors(errors),
    narrow: true,
    script: passkeys,
  });
}

function passkeySection(frame: Frame, carried: Carried | undefined): Html {
  return html`<section class="passkey" data-passkey="get" data-options="${paths.passkeyOptions}" data-answer="${paths.passkey}" hidden aria-labelledby="by-passkey">
<h2 id="by-passkey">${t('sign-in.by-passkey')}</h2>
${form(frame, { action: paths.signIn, carried }, button(t('sign-in.passkey')))}
${passkeyWords}
<p class="or" aria-hidden="true"><span>${t('sign-in.or')}</span></p>
</section>`;
}

export interface EnterCode extends SixDigits {
  carried?: Carried;
}

/** Asks for the code. Forms: `code` to paths.checkCode; `email` to paths.sendCode, for a new code. */
export const enterCodePage = (frame: Frame, { carried, ...model }: EnterCode): string =>
  sixDigitsPage(frame, model, {
    check: { action: paths.checkCode, carried, label: t('sign-in.title') },
    sendAgain: { action: paths.sendCode, carried },
    otherAddress: paths.signIn,
  });

export interface AddPasskey {
  carried?: Carried;
  /** The page to go to next; a path of this home. */
  next: string;
}

/**
 * Offers a passkey after a sign-in. The script asks paths.newPasskeyOptions and answers to
 * paths.newPasskey; without it the page only leads on.
 */
export function addPasskeyPage(frame: Frame, { carried, next }: AddPasskey): string {
  const main = html`<h1>${t('sign-in.passkey-offer')}</h1>
<div class="card">
<p>${t('sign-in.passkey-offer-more')}</p>
<section data-passkey="create" data-options="${paths.newPasskeyOptions}" data-answer="${paths.newPasskey}" hidden>
${form(frame, { action: paths.newPasskey, carried }, button(t('sign-in.passkey-create')))}
${passkeyWords}
</section>
<p class="actions">${linkButton(t('sign-in.passkey-later'), next)}</p>
</div>`;
  return page(frame, { title: t('sign-in.passkey-offer'), main, narrow: true, script: true });
}
