import { listed, type Text, t } from '@hearth/i18n';
import { type Errors, field, fieldset, select } from '../components/field.ts';
import { button, form, linkButton } from '../components/form.ts';
import { actResult, hasErrors, notice } from '../components/notice.ts';
import { tick, ticks } from '../components/tick.ts';
import { type Frame, page } from '../frame.ts';
import { around, type Html, html, type Piece, type Words } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { timeZoneGroupsWith } from '../time-zones.ts';
import type { Group } from './group.ts';
import { type GroupAges, groupAgesField } from './groups.ts';

/** Whether an organizer reviews requests to join. */
export const joinReviews = ['none', 'minors', 'all'] as const;
export type JoinReview = (typeof joinReviews)[number];

/** Whether members may propose plans. */
export const planRules = ['allow', 'ask', 'never'] as const;
export type PlanRule = (typeof planRules)[number];

export interface GroupSettingsValues {
  name: string;
  minors: GroupAges;
  /** 13 or 16. */
  consent_age: string;
  join_review: JoinReview;
  plans: PlanRule;
  /** Whether the group's AI runs its decisions and plans. */
  group_ai: boolean;
  /** IANA; empty if not set. */
  time_zone: string;
  /** YYYY-MM-DD: its last day; empty if not set. */
  last_day: string;
}

export type GroupSettingsField = keyof GroupSettingsValues;

export interface GroupSettings extends Pick<Group, 'handle' | 'name'> {
  values: GroupSettingsValues;
  /** Whether it has a last day, which can be moved but not removed. */
  hasEnd: boolean;
  nameLength: number;
  /** The names of members who could no longer join under the settings just saved. */
  noLongerFit?: readonly string[];
  done?: Words | undefined;
  refused?: Piece | undefined;
  errors?: Errors<GroupSettingsField>;
}

/** A group's settings, for its organizers. Form: the values (`group_ai` as yes) to paths.groupSettings(handle). */
export function groupSettingsPage(frame: Frame, model: GroupSettings): string {
  const { handle, name, noLongerFit = [], done, refused, errors = {} } = model;
  const main = html`<p class="back"><a href="${paths.group(handle)}">${othersText(name, 80)}</a></p>
<h1>${t('groups.settings-of', { name: othersText(name, 80) })}</h1>
${actResult({ errors, done, refused })}
${
  noLongerFit.length > 0 &&
  notice(
    'care',
    t('groups.no-longer-fit'),
    t('groups.no-longer-fit-more', {
      names: listed(noLongerFit.map((member) => othersText(member))),
      link: around((inside) => html`<a href="${paths.group(handle)}#members">${inside}</a>`),
    }),
  )
}
<div class="card">${settingsForm(frame, model)}</div>
<section class="card" aria-labelledby="end">
<h2 id="end">${t('groups.archive')}</h2>
<div class="actions">${linkButton(t('groups.archive-button'), paths.archiveGroup(handle), 'danger')}</div>
</section>`;
  return page(frame, {
    title: t('groups.settings-page'),
    main,
    here: 'groups',
    narrow: true,
    hasErrors: hasErrors(errors),
  });
}

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
      label: t('groups.name'),
      value: name,
      autocomplete: 'off',
      maxLength: nameLength,
      hint: t('groups.name-keeps-address'),
      error: errors.name,
    })}
${groupAgesField(values.minors, errors.minors)}
${select({
  name: 'consent_age',
  label: t('groups.consent-age'),
  groups: [
    {
      choices: (['13', '16'] as const).map((value) => ({ value, words: t(`groups.consent-age.${value}`) })),
    },
  ],
  value: consent_age,
  empty: t('groups.consent-age-none'),
  optional: true,
  hint: t('groups.consent-age-hint', { choice: t('groups.ages.teens') }),
  error: errors.consent_age,
})}
${choices('join_review', t('groups.review'), joinReviews, (review) => t(`groups.review.${review}`), join_review, errors)}
${choices('plans', t('groups.plans'), planRules, (rule) => t(`groups.plans.${rule}`), plans, errors)}
${ticks([
  tick({
    name: 'group_ai',
    value: 'yes',
    label: t('groups.ai'),
    hint: t('groups.ai-hint'),
    ticked: group_ai,
  }),
])}
${select({
  name: 'time_zone',
  label: t('groups.time-zone'),
  groups: timeZoneGroupsWith(time_zone),
  value: time_zone,
  empty: t('time-zones.choose'),
  optional: true,
  hint: t('groups.time-zone-hint'),
  error: errors.time_zone,
})}
${field({
  name: 'last_day',
  label: t('groups.last-day'),
  type: 'date',
  value: last_day,
  optional: true,
  hint: hasEnd ? t('groups.last-day-set') : t('groups.last-day-hint'),
  error: errors.last_day,
})}
<div class="actions">${button(t('common.save'))}</div>`,
  );
}

function choices<Value extends string>(
  name: GroupSettingsField,
  legend: Text,
  values: readonly Value[],
  labelOf: (value: Value) => Text,
  chosen: Value,
  errors: Errors<GroupSettingsField>,
): Html {
  const rows = values.map((value) =>
    tick({ kind: 'radio', name, value, label: labelOf(value), ticked: value === chosen }),
  );
  return fieldset({ id: name, legend, error: errors[name] }, ticks(rows));
}

export interface ArchiveGroup extends Pick<Group, 'handle' | 'name'> {
  /** How long it can be restored, in days. */
  restoreDays: number;
  refused?: Piece | undefined;
  errors?: Errors<'for_good'>;
}

/** Asks for confirmation. Forms to paths.archiveGroup(handle), by `do`: archive, end (`for_good`, yes). */
export function archiveGroupPage(frame: Frame, model: ArchiveGroup): string {
  const { handle, name, restoreDays, refused, errors = {} } = model;
  const action = paths.archiveGroup(handle);
  const main = html`<p class="back"><a href="${paths.groupSettings(handle)}">${t('groups.settings')}</a></p>
<h1>${t('groups.archive-title', { name: othersText(name, 80) })}</h1>
${actResult({ errors, refused })}
<p class="lead">${t('groups.archive-lead')}</p>
<section class="card" aria-labelledby="archive">
<h2 id="archive">${t('groups.archive-only')}</h2>
<p>${t('groups.archive-only-lead', { days: restoreDays })}</p>
${form(frame, { action, carried: { do: 'archive' } }, html`<div class="actions">${button(t('groups.archive-only-button'), { kind: 'danger' })}</div>`)}
</section>
<section class="card" aria-labelledby="end">
<h2 id="end">${t('groups.end')}</h2>
${form(
  frame,
  { action, carried: { do: 'end' } },
  html`${ticks([
    tick({
      name: 'for_good',
      id: 'for_good',
      value: 'yes',
      label: t('groups.end-for-good'),
      caution: errors.for_good,
      ticked: false,
    }),
  ])}
<div class="actions">${button(t('groups.end-button'), { kind: 'danger' })}</div>`,
)}
</section>
<p class="actions">${linkButton(t('groups.keep'), paths.group(handle))}</p>`;
  return page(frame, {
    title: t('groups.archive'),
    main,
    here: 'groups',
    narrow: true,
    hasErrors: hasErrors(errors),
  });
}
