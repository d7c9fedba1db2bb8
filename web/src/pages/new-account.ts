import { t } from '@hearth/i18n';
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
  /** Verified by the code. */
  email: string;
  values?: BirthValues & { name?: string; handle?: string; time_zone?: string };
  errors?: Errors<'name' | 'handle' | 'birth' | 'time_zone'>;
}

/**
 * Creates an account for an address that was just verified. Form: `name`, `handle` (may be empty), `birth_month`,
 * `birth_year`, `time_zone` to paths.makeAccount.
 */
export function newAccountPage(
  frame: Frame,
  { carried, email, values = {}, errors = {} }: NewAccount,
): string {
  const main = html`<h1>${t('sign-in.new-account')}</h1>
<p class="lead">${t('sign-in.new-account-lead', { email: html`<strong class="break">${email}</strong>`, home: frame.home })}</p>
${errorSummary(errors)}
<div class="card">
${form(
  frame,
  { action: paths.makeAccount, carried },
  html`${field({
    name: 'name',
    label: t('sign-in.name'),
    value: values.name,
    autocomplete: 'name',
    maxLength: 60,
    hint: t('sign-in.name-hint'),
    error: errors.name,
  })}
${field({
  name: 'handle',
  label: t('sign-in.handle'),
  value: values.handle,
  optional: true,
  autocomplete: 'off',
  maxLength: 30,
  prefix: '@',
  literal: true,
  hint: t('sign-in.handle-hint'),
  error: errors.handle,
})}
${birthFields(values, errors)}
${select({
  name: 'time_zone',
  label: t('time-zones.label'),
  groups: timeZoneGroups,
  value: values.time_zone,
  empty: t('time-zones.choose'),
  fill: 'time-zone',
  hint: t('time-zones.hint'),
  error: errors.time_zone,
})}
${button(t('sign-in.new-account-create'))}`,
)}
</div>`;
  return page(frame, {
    title: t('sign-in.new-account'),
    main,
    hasErrors: hasErrors(errors),
    narrow: true,
    script: true,
  });
}
