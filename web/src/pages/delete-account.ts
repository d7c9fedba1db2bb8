import { t } from '@hearth/i18n';
import { type Errors, field } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { errorSummary, hasErrors, notice } from '../components/notice.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, strong } from '../html.ts';
import { othersText } from '../others-text.ts';

export interface DeleteAccount {
  /** The child whose account it is; undefined for the viewer's own. */
  child?: string | undefined;
  /** Without the @. */
  handle: string;
  /** How long it can be undone. */
  days: number;
  /** The form's action, and the page before. */
  action: string;
  back: string;
  /** Where the viewer signs in again, if that was too long ago. */
  signInFirst?: string | undefined;
  confirm?: string;
  errors?: Errors<'confirm'>;
}

/** Asks for confirmation. Form: `confirm` (the handle) to `action`. */
export function deleteAccountPage(frame: Frame, model: DeleteAccount): string {
  const { child, days, errors = {}, signInFirst } = model;
  const title = child === undefined ? t('deletion.title') : t('deletion.title-other');
  const main = html`<h1>${child === undefined ? title : t('deletion.title-child', { child: othersText(child) })}</h1>
${errorSummary(errors)}
<div class="card">
<h2>${t('deletion.what')}</h2>
<p>${t('deletion.days', { days, strong })}</p>
<ul>${(child === undefined ? consequences : consequencesForChild).map((words) => html`<li>${words}</li>`)}</ul>
</div>
<div class="card">
${signInFirst === undefined ? confirmForm(frame, model) : signInAgain(signInFirst, model)}
</div>`;
  return page(frame, { title, main, hasErrors: hasErrors(errors), narrow: true });
}

const consequences = [
  t('deletion.own-data'),
  t('deletion.own-ais'),
  t('deletion.own-groups'),
  t('deletion.own-children'),
  t('deletion.own-copies'),
];

const consequencesForChild = [t('deletion.child-data'), t('deletion.child-ais'), t('deletion.child-copies')];

function confirmForm(
  frame: Frame,
  { child, handle, days, action, back, confirm, errors = {} }: DeleteAccount,
): Html {
  return html`<h2>${t('deletion.confirm')}</h2>
${form(
  frame,
  { action },
  html`${field({
    name: 'confirm',
    label: child === undefined ? t('sign-in.handle') : t('deletion.address-child'),
    value: confirm,
    autocomplete: 'off',
    maxLength: 31,
    literal: true,
    hint: t('deletion.enter', { address: html`<strong class="address">@${handle}</strong>` }),
    error: errors.confirm,
  })}
<div class="actions">${button(t('deletion.do', { days }), { kind: 'danger' })}${linkButton(t('common.cancel'), back)}</div>`,
)}`;
}

function signInAgain(href: string, { back }: DeleteAccount): Html {
  return html`${notice('info', t('deletion.sign-in-first'), t('deletion.sign-in-first-more'))}
<div class="actions">${linkButton(t('common.sign-in-again'), href, 'main')}${linkButton(t('common.cancel'), back)}</div>`;
}
