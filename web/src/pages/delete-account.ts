import { type Errors, field } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { errorSummary, hasErrors, notice } from '../components/notice.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { othersText } from '../others-text.ts';

export interface DeleteAccount {
  /** The child whose account it is; undefined for the viewer's own. */
  child?: string | undefined;
  /** Without the @. */
  handle: string;
  /** For so many days it can be taken back. */
  days: number;
  /** Where the form goes, and where one goes back to. */
  action: string;
  back: string;
  /** Where one signs in once more, when that was too long ago. */
  signInFirst?: string | undefined;
  confirm?: string;
  errors?: Errors<'confirm'>;
}

/** Is it meant? Form: `confirm` (the handle) to `action`. */
export function deleteAccountPage(frame: Frame, model: DeleteAccount): string {
  const { child, days, errors = {}, signInFirst } = model;
  const title = child === undefined ? 'Delete your account?' : 'Delete an account?';
  const main = html`<h1>${child === undefined ? title : html`Delete the account of ${othersText(child)}?`}</h1>
${errorSummary(errors)}
<div class="card">
<h2>What happens</h2>
<p><strong>For ${days} days nothing changes</strong>, and it can be taken back at any time. Then, for good:</p>
${child === undefined ? consequences : consequencesForChild}
</div>
<div class="card">
${signInFirst === undefined ? confirmForm(frame, model) : signInAgain(signInFirst, model)}
</div>`;
  return page(frame, { title, main, hasErrors: hasErrors(errors), narrow: true });
}

const consequences = html`<ul>
<li>Your name, your sign-ins and your notes are deleted. No other person ever gets your address.</li>
<li>Your AIs are switched off, and their names and descriptions are deleted.</li>
<li>You leave your groups. Where no other member organizes one, the adult who is there longest does from then on; a group without one is archived.</li>
<li>Children whom you look after stay with their other guardian. Without one no adult can agree to anything for them, or change their accounts, until there is a new one; an account that you made for a child without another guardian is deleted with yours.</li>
<li>What others have from you stays with them, with your name and address of then: messages, asks and answers, agreements, meetings and signed records. What you wrote for a group stays there without your name.</li>
</ul>`;

const consequencesForChild = html`<ul>
<li>The name, the sign-ins and the notes are deleted. No other person ever gets the address.</li>
<li>The child’s AIs are switched off, and the child leaves all groups.</li>
<li>What others have from the child stays with them, as it was shown to them: messages, asks and answers, and signed records. What the child wrote for a group stays there without a name.</li>
</ul>`;

function confirmForm(
  frame: Frame,
  { child, handle, days, action, back, confirm, errors = {} }: DeleteAccount,
): Html {
  return html`<h2>Is it meant?</h2>
${form(
  frame,
  { action },
  html`${field({
    name: 'confirm',
    label: child === undefined ? 'Your address here' : 'The address of the account',
    value: confirm,
    autocomplete: 'off',
    maxLength: 31,
    literal: true,
    hint: html`Write <strong class="address">@${handle}</strong>.`,
    error: errors.confirm,
  })}
<div class="actions">${button(`Delete it in ${days} days`, { kind: 'danger' })}${linkButton('Keep it', back)}</div>`,
)}`;
}

function signInAgain(href: string, { back }: DeleteAccount): Html {
  return html`${notice('info', 'Sign in once more first', 'So that a person who finds your browser open cannot do this. You come back to this page.')}
<div class="actions">${linkButton('Sign in again', href, 'main')}${linkButton('Keep it', back)}</div>`;
}
