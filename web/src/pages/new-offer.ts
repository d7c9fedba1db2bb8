import { t } from '@hearth/i18n';
import { field, fieldset, select } from '../components/field.ts';
import { button, form } from '../components/form.ts';
import { type ActResult, actResult, hasErrors } from '../components/notice.ts';
import { textArea } from '../components/text-area.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { plainText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { timeZoneGroupsWith } from '../time-zones.ts';
import type { OwnGroup } from './groups.ts';
import { someOpen } from './new-course.ts';

export interface NewOffer extends ActResult {
  groups: readonly Pick<OwnGroup, 'name' | 'handle'>[];
  /** By field name. */
  values: Readonly<Record<string, string>>;
  /** Makes submitting the form twice create one offer. */
  attempt: string;
}

/**
 * Offers times to meet. Form: `title`, `to` (addresses) or `group` (a handle), for each of `newTimes` `starts-<n>` and `ends-<n>`,
 * `time_zone`, `place`, `note`, `times`, `attempt` to paths.newOffer.
 */
export function newOfferPage(frame: Frame, model: NewOffer): string {
  const { attempt, groups, values, errors = {} } = model;
  const given = (name: string) => ({ name, value: values[name], error: errors[name] });
  const main = html`<p class="back"><a href="${paths.meetings}">${t('meetings.title')}</a></p>
<h1>${t('meetings.offer')}</h1>
<p class="lead">${t('meetings.new-lead')}</p>
${actResult(model)}
<div class="card">
${form(
  frame,
  { action: paths.newOffer, carried: { attempt } },
  html`${field({ ...given('title'), label: t('courses.title'), autocomplete: 'off', maxLength: 140, hint: t('meetings.new-title-hint') })}
${field({
  ...given('to'),
  label: t('meetings.new-to'),
  optional: groups.length > 0,
  autocomplete: 'off',
  literal: true,
  hint: t('meetings.new-to-hint'),
})}
${
  groups.length > 0 &&
  select({
    ...given('group'),
    label: t('meetings.new-group'),
    groups: [
      {
        choices: groups.map(({ handle, name }) => ({ value: handle, words: plainText(name, 60) })),
      },
    ],
    empty: t('meetings.new-group-none'),
    optional: true,
  })
}
${someOpen(model, ['starts', 'ends'], (place) => offeredTime(model, place))}
${select({
  ...given('time_zone'),
  label: t('time-zones.label'),
  groups: timeZoneGroupsWith(values['time_zone'] ?? ''),
  empty: t('time-zones.choose'),
  hint: t('meetings.new-zone-hint'),
})}
${field({ ...given('place'), label: t('courses.where'), optional: true, autocomplete: 'off', maxLength: 200 })}
${textArea({ ...given('note'), label: t('courses.details'), optional: true, maxLength: 500 })}
${field({ ...given('times'), label: t('meetings.new-times'), optional: true, inputMode: 'numeric', autocomplete: 'off', maxLength: 2, look: 'short', hint: t('meetings.new-times-hint') })}
<div class="actions">${button(t('meetings.offer'))}</div>`,
)}
</div>`;
  return page(frame, {
    ...{ title: t('meetings.offer'), main, here: 'requests', narrow: true },
    hasErrors: hasErrors(errors),
  });
}

function offeredTime({ values, errors = {} }: NewOffer, place: number): Html {
  const at = (of: string) => ({
    ...{ name: `${of}-${place}`, type: 'datetime-local' as const, optional: true },
    ...{ value: values[`${of}-${place}`], error: errors[`${of}-${place}`] },
  });
  return fieldset(
    {
      id: `time-${place}`,
      legend: t('courses.time-number', { number: place }),
      error: errors[`time-${place}`],
    },
    html`${field({ ...at('starts'), label: t('courses.starts') })}
${field({ ...at('ends'), label: t('courses.ends'), hint: t('courses.ends-hint') })}`,
  );
}
