import { type BirthValues, birthFields } from '../components/birth.ts';
import { field, fieldset } from '../components/field.ts';
import { button, form } from '../components/form.ts';
import { type ActResult, actResult, hasErrors } from '../components/notice.ts';
import { tick, ticks } from '../components/tick.ts';
import { type Frame, page } from '../frame.ts';
import { html } from '../html.ts';
import { paths } from '../paths.ts';

export interface NewChild extends ActResult {
  values: BirthValues & { name?: string; guardian?: string };
  /** Makes a form that is sent twice begin one account. */
  attempt: string;
}

/**
 * Makes an account for a child, with the reader as the guardian. Form: `name`, `birth_month`, `birth_year`, `guardian` (yes) to
 * paths.newChild.
 */
export function newChildPage(frame: Frame, { values, attempt, ...result }: NewChild): string {
  const { errors = {} } = result;
  const main = html`<p class="back"><a href="${paths.family}">Family</a></p>
<h1>Make an account for a child</h1>
<p class="lead">You are their guardian: you say which groups they join, and whether AIs may act for them. A child has no sign-in of their own; you can add one once they are old enough.</p>
${actResult(result)}
<div class="card">
${form(
  frame,
  { action: paths.newChild, carried: { attempt } },
  html`${field({
    name: 'name',
    label: 'The child’s name',
    value: values.name,
    autocomplete: 'off',
    maxLength: 60,
    hint: 'You alone see the whole of it, and another guardian whom you name. People in the child’s groups see it shortened.',
    error: errors['name'],
  })}
${birthFields(values, { birth: errors['birth'] }, 'When was the child born?')}
${fieldset(
  { id: 'guardian', legend: 'Your word', error: errors['guardian'] },
  ticks([
    tick({
      name: 'guardian',
      value: 'yes',
      label: 'I am a parent or guardian of this child, and agree to the account',
      hint: `${frame.home} keeps the name, the month of birth, and that you agreed and when. You can delete the account at any time.`,
      ticked: values.guardian === 'yes',
    }),
  ]),
)}
<div class="actions">${button('Make the account')}</div>`,
)}
</div>`;
  return page(frame, {
    ...{ title: 'Make an account for a child', main, here: 'family', narrow: true },
    hasErrors: hasErrors(errors),
  });
}
