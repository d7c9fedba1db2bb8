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
  /** By the names of the fields. */
  values: Readonly<Record<string, string>>;
  /** Makes a form that is sent twice begin one offer. */
  attempt: string;
}

/**
 * Offers times to meet. Form: `title`, `to` (addresses) or `group` (a handle), for each of `newTimes` `starts-<n>` and `ends-<n>`,
 * `time_zone`, `place`, `note`, `times`, `attempt` to paths.newOffer.
 */
export function newOfferPage(frame: Frame, model: NewOffer): string {
  const { attempt, groups, values, errors = {} } = model;
  const given = (name: string) => ({ name, value: values[name], error: errors[name] });
  const main = html`<p class="back"><a href="${paths.meetings}">Meetings</a></p>
<h1>Offer times</h1>
<p class="lead">They choose one of your times, and it is a meeting.</p>
${actResult(model)}
<div class="card">
${form(
  frame,
  { action: paths.newOffer, carried: { attempt } },
  html`${field({ ...given('title'), label: 'Title', autocomplete: 'off', maxLength: 140, hint: 'Such as: A call about the roof.' })}
${field({
  ...given('to'),
  label: 'For whom',
  optional: groups.length > 0,
  autocomplete: 'off',
  literal: true,
  hint: 'Addresses such as @ada or @ada.ai-robin, with a space between them.',
})}
${
  groups.length > 0 &&
  select({
    ...given('group'),
    label: 'Or for a group of yours',
    groups: [
      {
        label: '',
        choices: groups.map(({ handle, name }) => ({ value: handle, words: plainText(name, 60) })),
      },
    ],
    empty: 'no group',
    optional: true,
  })
}
${someOpen(model, ['starts', 'ends'], (place) => offeredTime(model, place))}
${select({
  ...given('time_zone'),
  label: 'Time zone',
  groups: timeZoneGroupsWith(values['time_zone'] ?? ''),
  empty: 'Choose a city near you',
  hint: 'Your times are by the clocks there.',
})}
${field({ ...given('place'), label: 'Where', optional: true, autocomplete: 'off', maxLength: 200 })}
${textArea({ ...given('note'), label: 'More about it', optional: true, maxLength: 500 })}
${field({ ...given('times'), label: 'How many of them can be booked', optional: true, inputMode: 'numeric', autocomplete: 'off', maxLength: 2, look: 'short', hint: 'One when it is empty.' })}
<div class="actions">${button('Offer them')}</div>`,
)}
</div>`;
  return page(frame, {
    ...{ title: 'Offer times', main, here: 'requests', narrow: true },
    hasErrors: hasErrors(errors),
  });
}

function offeredTime({ values, errors = {} }: NewOffer, place: number): Html {
  const at = (of: string) => ({
    ...{ name: `${of}-${place}`, type: 'datetime-local' as const, optional: true },
    ...{ value: values[`${of}-${place}`], error: errors[`${of}-${place}`] },
  });
  return fieldset(
    { id: `time-${place}`, legend: `Time ${place}`, error: errors[`time-${place}`] },
    html`${field({ ...at('starts'), label: 'Starts' })}
${field({ ...at('ends'), label: 'Ends', hint: 'An hour later when it is empty.' })}`,
  );
}
