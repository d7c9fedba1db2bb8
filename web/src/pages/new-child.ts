import { t } from '@hearth/i18n';
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
  /** Makes submitting the form twice create one account. */
  attempt: string;
}

/**
 * Creates a child's account, with the reader as guardian. Form: `name`, `birth_month`, `birth_year`,
 * `guardian` (yes) to paths.newChild.
 */
export function newChildPage(frame: Frame, { values, attempt, ...result }: NewChild): string {
  const { errors = {} } = result;
  const main = html`<p class="back"><a href="${paths.family}">${t('family.title')}</a></p>
<h1>${t('family.create')}</h1>
<p class="lead">${t('family.create-lead')}</p>
${actResult(result)}
<div class="card">
${form(
  frame,
  { action: paths.newChild, carried: { attempt } },
  html`${field({
    name: 'name',
    label: t('family.child-name'),
    value: values.name,
    autocomplete: 'off',
    maxLength: 60,
    hint: t('family.child-name-hint'),
    error: errors['name'],
  })}
${birthFields(values, { birth: errors['birth'] }, t('family.born'))}
${fieldset(
  { id: 'guardian', legend: t('family.consent'), error: errors['guardian'] },
  ticks([
    tick({
      name: 'guardian',
      value: 'yes',
      label: t('family.consent-tick'),
      hint: t('family.consent-hint', { home: frame.home }),
      ticked: values.guardian === 'yes',
    }),
  ]),
)}
<div class="actions">${button(t('family.create-button'))}</div>`,
)}
</div>`;
  return page(frame, {
    ...{ title: t('family.create'), main, here: 'family', narrow: true },
    hasErrors: hasErrors(errors),
  });
}
