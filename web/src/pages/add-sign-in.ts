import { t } from '@hearth/i18n';
import { type Errors, field } from '../components/field.ts';
import { button, form } from '../components/form.ts';
import { errorSummary, hasErrors } from '../components/notice.ts';
import { passkeyWords } from '../components/passkey.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';
import type { Child } from './family.ts';
import { type SixDigits, sixDigitsPage } from './six-digits.ts';

export interface AddSignIn {
  guest: boolean;
  /** Offers a passkey as well. */
  passkeys: boolean;
  email?: string;
  /** The child, or adult former child, that the guardian adds it for. */
  child?: (Pick<Child, 'id' | 'name'> & { grown?: boolean }) | undefined;
  errors?: Errors<'email'>;
}

/**
 * Adds a guest's first sign-in, a new email address, or a child's sign-in. Form: `email` to paths.addSignIn, or for a
 * child to paths.childSignIn(id). The passkey script asks paths.addSignInPasskeyOptions and answers to
 * paths.addSignInPasskey.
 */
export function addSignInPage(frame: Frame, model: AddSignIn): string {
  const { child, email, guest, passkeys, errors = {} } = model;
  const title = guest || child !== undefined ? t('sign-in.own') : t('sign-in.own-email');
  const main = html`${backTo(child)}
<h1>${child === undefined ? title : t('sign-in.child', { child: othersText(child.name) })}</h1>
${errorSummary(errors)}
<div class="card">
${passkeys && passkeySection(frame)}
<section aria-labelledby="by-email">
<h2 id="by-email">${t('sign-in.by-email')}</h2>
${form(
  frame,
  { action: pathsOf(child).ask },
  html`${field({
    name: 'email',
    label: t('sign-in.email'),
    type: 'email',
    value: email,
    autocomplete: child === undefined ? 'email' : 'off',
    inputMode: 'email',
    maxLength: 254,
    literal: true,
    hint:
      child !== undefined
        ? t('sign-in.child-hint')
        : guest
          ? t('sign-in.own-guest-hint')
          : t('sign-in.own-email-hint'),
    error: errors.email,
  })}
${button(child === undefined ? t('sign-in.send-code') : t('sign-in.child-send-code'))}`,
)}
</section>
</div>`;
  return page(frame, { title, main, hasErrors: hasErrors(errors), narrow: true, script: passkeys });
}

function backTo(child: AddSignIn['child']): Html {
  if (child === undefined) return html`<p class="back"><a href="${paths.me}">${t('account.title')}</a></p>`;
  if (child.grown === true)
    return html`<p class="back"><a href="${paths.family}">${t('frame.family')}</a></p>`;
  return html`<p class="back"><a href="${paths.child(child.id)}">${othersText(child.name)}</a></p>`;
}

const pathsOf = (child: AddSignIn['child']) =>
  child === undefined
    ? { ask: paths.addSignIn, check: paths.addSignInCode }
    : { ask: paths.childSignIn(child.id), check: paths.childSignInCode(child.id) };

function passkeySection(frame: Frame): Html {
  return html`<section class="passkey" data-passkey="create" data-options="${paths.addSignInPasskeyOptions}" data-answer="${paths.addSignInPasskey}" hidden aria-labelledby="by-passkey">
<h2 id="by-passkey">${t('sign-in.by-passkey')}</h2>
${form(frame, { action: paths.addSignIn }, button(t('sign-in.passkey-create')))}
${passkeyWords}
<p class="or" aria-hidden="true"><span>${t('sign-in.or')}</span></p>
</section>`;
}

/**
 * Asks for the code. Forms: `code` (and `email`) to paths.addSignInCode; `email` and `again` to paths.addSignIn; for a
 * child to paths.childSignInCode(id) and paths.childSignIn(id).
 */
export function addSignInCodePage(frame: Frame, model: SixDigits & Pick<AddSignIn, 'child'>): string {
  const { ask, check } = pathsOf(model.child);
  return sixDigitsPage(frame, model, {
    check: { action: check, carried: { email: model.email }, label: t('sign-in.own-confirm') },
    sendAgain: { action: ask },
    otherAddress: ask,
  });
}
