import { type Errors, field, fieldset, select } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { actResult, hasErrors, notice } from '../components/notice.ts';
import { tick, ticks } from '../components/tick.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece, type Words } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { timeZoneGroupsWith } from '../time-zones.ts';
import type { Group } from './group.ts';
import { type GroupAges, groupAgesField } from './groups.ts';

/** Whether an organizer looks at who wants to join. */
export const joinReviews = ['none', 'minors', 'all'] as const;
export type JoinReview = (typeof joinReviews)[number];

/** Whether members propose plans. */
export const planRules = ['allow', 'ask', 'never'] as const;
export type PlanRule = (typeof planRules)[number];

export interface GroupSettingsValues {
  name: string;
  minors: GroupAges;
  /** 13 or 16. */
  consent_age: string;
  join_review: JoinReview;
  plans: PlanRule;
  /** The AI of the group runs its decisions and plans. */
  group_ai: boolean;
  /** IANA; empty where none is set. */
  time_zone: string;
  /** YYYY-MM-DD: its last day; empty where none is set. */
  last_day: string;
}

export type GroupSettingsField = keyof GroupSettingsValues;

export interface GroupSettings extends Pick<Group, 'handle' | 'name'> {
  values: GroupSettingsValues;
  /** It has a last day, which can be moved and not taken away. */
  hasEnd: boolean;
  nameLength: number;
  /** Names of members who could not join any more by what was just saved. */
  noLongerFit?: readonly string[];
  done?: Words | undefined;
  refused?: Piece | undefined;
  errors?: Errors<GroupSettingsField>;
}

/** The settings of a group, for its organizers. Form: the values (`group_ai` as yes) to paths.groupSettings(handle). */
export function groupSettingsPage(frame: Frame, model: GroupSettings): string {
  const { handle, name, noLongerFit = [], done, refused, errors = {} } = model;
  const main = html`<p class="back"><a href="${paths.group(handle)}">${othersText(name, 80)}</a></p>
<h1>Settings of ${othersText(name, 80)}</h1>
${actResult({ errors, done, refused })}
${
  noLongerFit.length > 0 &&
  notice(
    'care',
    'Not all members fit these settings',
    html`${noLongerFit.map((member, index) => html`${index > 0 && ', '}${othersText(member)}`)}. They stay until you remove them, on <a href="${paths.group(handle)}#members">the page of the group</a>.`,
  )
}
<div class="card">${settingsForm(frame, model)}</div>
<section class="card" aria-labelledby="end">
<h2 id="end">Archive or end the group</h2>
<p>The next page says what happens.</p>
<div class="actions">${linkButton('Archive or end it', paths.archiveGroup(handle), 'danger')}</div>
</section>`;
  return page(frame, {
    title: 'Settings of a group',
    main,
    here: 'groups',
    narrow: true,
    hasErrors: hasErrors(errors),
  });
}

const reviewChoices: Readonly<Record<JoinReview, string>> = {
  none: 'No: whoever has an invite is in',
  minors: 'When a person under 18 is in it, or wants to be',
  all: 'Always',
};

const planChoices: Readonly<Record<PlanRule, string>> = {
  allow: 'Every member',
  ask: 'Every member, once an organizer agrees',
  never: 'No member',
};

function settingsForm(
  frame: Frame,
  { handle, values, hasEnd, nameLength, errors = {} }: GroupSettings,
): Html {
  const { name, consent_age, join_review, plans, group_ai, time_zone, last_day } = values;
  return form(
    frame,
    { action: paths.groupSettings(handle) },
    html`${field({
      name: 'name',
      label: 'Its name',
      value: name,
      autocomplete: 'off',
      maxLength: nameLength,
      hint: 'Its address stays as it is.',
      error: errors.name,
    })}
${groupAgesField(values.minors, errors.minors)}
${select({
  name: 'consent_age',
  label: 'Teenagers join by their own word',
  groups: [{ label: '', choices: ['13', '16'].map((value) => ({ value, words: `from ${value} on` })) }],
  value: consent_age,
  empty: 'Choose an age',
  optional: true,
  hint: 'Counts where teenagers join by their own word. It cannot be younger than the law where you live allows.',
  error: errors.consent_age,
})}
${choices('join_review', 'Does an organizer look at who wants to join?', reviewChoices, join_review, errors)}
${choices('plans', 'Who proposes plans?', planChoices, plans, errors)}
${ticks([
  tick({
    name: 'group_ai',
    value: 'yes',
    label: 'The AI of the group runs its decisions',
    hint: 'It brings one proposal from the answers. Without it no decision can be started here.',
    ticked: group_ai,
  }),
])}
${select({
  name: 'time_zone',
  label: 'Time zone of the group',
  groups: timeZoneGroupsWith(time_zone),
  value: time_zone,
  empty: 'Choose a city near you',
  optional: true,
  hint: 'Times of its decisions and plans are meant in it.',
  error: errors.time_zone,
})}
${field({
  name: 'last_day',
  label: 'Its last day',
  type: 'date',
  value: last_day,
  optional: true,
  hint: hasEnd
    ? 'The group ends when this day is over, for good. The day can be moved, and not taken away.'
    : 'For a group that is over some day: it ends then, for good. Leave it empty for one that goes on.',
  error: errors.last_day,
})}
<div class="actions">${button('Save')}</div>`,
  );
}

function choices<Value extends string>(
  name: GroupSettingsField,
  legend: string,
  words: Readonly<Record<Value, string>>,
  chosen: Value,
  errors: Errors<GroupSettingsField>,
): Html {
  const rows = Object.entries<string>(words).map(([value, label]) =>
    tick({ kind: 'radio', name, value, label, ticked: value === chosen }),
  );
  return fieldset({ id: name, legend, error: errors[name] }, ticks(rows));
}

export interface ArchiveGroup extends Pick<Group, 'handle' | 'name'> {
  /** So long it can be restored. */
  restoreDays: number;
  refused?: Piece | undefined;
  errors?: Errors<'for_good'>;
}

/** Is it meant? Forms to paths.archiveGroup(handle), by `do`: archive, end (`for_good`, yes). */
export function archiveGroupPage(frame: Frame, model: ArchiveGroup): string {
  const { handle, name, restoreDays, refused, errors = {} } = model;
  const action = paths.archiveGroup(handle);
  const main = html`<p class="back"><a href="${paths.groupSettings(handle)}">Settings</a></p>
<h1>Archive or end ${othersText(name, 80)}?</h1>
${actResult({ errors, refused })}
<p class="lead">Either way no person can join it and no member can post to it any more, and its open decisions and plans end. Its members still read what was posted.</p>
<section class="card" aria-labelledby="archive">
<h2 id="archive">Archive it</h2>
<p>You can restore it for ${restoreDays} days. What was open does not open again.</p>
${form(frame, { action, carried: { do: 'archive' } }, html`<div class="actions">${button('Archive the group', { kind: 'danger' })}</div>`)}
</section>
<section class="card" aria-labelledby="end">
<h2 id="end">End it</h2>
${form(
  frame,
  { action, carried: { do: 'end' } },
  html`${ticks([
    tick({
      name: 'for_good',
      id: 'for_good',
      value: 'yes',
      label: 'It ends for good: no organizer can restore it',
      caution: errors.for_good,
      ticked: false,
    }),
  ])}
<div class="actions">${button('End the group', { kind: 'danger' })}</div>`,
)}
</section>
<p class="actions">${linkButton('Leave it as it is', paths.group(handle))}</p>`;
  return page(frame, {
    title: 'Archive or end a group?',
    main,
    here: 'groups',
    narrow: true,
    hasErrors: hasErrors(errors),
  });
}
