import { type BirthValues, birthFields } from '../components/birth.ts';
import { type Errors, field, select } from '../components/field.ts';
import { button, type Carried, form } from '../components/form.ts';
import { errorSummary, hasErrors } from '../components/notice.ts';
import { type Frame, page } from '../frame.ts';
import { html } from '../html.ts';
import { paths } from '../paths.ts';
import { timeZoneGroups } from '../time-zones.ts';

export interface NewAccount {
  carried?: Carried;
  /** Shown to be theirs by the digits. */
  email: string;
  values?: BirthValues & { name?: string; handle?: string; time_zone?: string };
  errors?: Errors<'name' | 'handle' | 'birth' | 'time_zone'>;
}

/**
 * A new account for an address that was just verified. Form: `name`, `handle` (may be empty), `birth_month`,
 * `birth_year`, `time_zone` to paths.makeAccount.
 */
export function newAccountPage(
  frame: Frame,
  { carried, email, values = {}, errors = {} }: NewAccount,
): string {
  const main = html`<h1>Make your account</h1>
<p class="lead">No person has used <strong class="break">${email}</strong> at ${frame.home} yet. A few things, and you are in.</p>
${errorSummary(errors)}
<div class="card">
${form(
  frame,
  { action: paths.makeAccount, carried },
  html`${field({
    name: 'name',
    label: 'Your name',
    value: values.name,
    autocomplete: 'name',
    maxLength: 60,
    hint: 'As people in your groups shall see it.',
    error: errors.name,
  })}
${field({
  name: 'handle',
  label: 'Your address here',
  value: values.handle,
  optional: true,
  autocomplete: 'off',
  maxLength: 30,
  prefix: '@',
  literal: true,
  hint: 'Small letters, digits and hyphens, at least three. Left empty, we make one for you; it can be changed later.',
  error: errors.handle,
})}
${birthFields(values, errors)}
${select({
  name: 'time_zone',
  label: 'Time zone',
  groups: timeZoneGroups,
  value: values.time_zone,
  empty: 'Choose a city near you',
  fill: 'time-zone',
  hint: 'So that times are shown as your clock has them.',
  error: errors.time_zone,
})}
${button('Make my account')}`,
)}
</div>`;
  return page(frame, {
    title: 'Make your account',
    main,
    hasErrors: hasErrors(errors),
    narrow: true,
    script: true,
  });
}
