import { zoneWords } from '@hearth/calendar/moments';
import { type Text, t } from '@hearth/i18n';
import { disclosure } from '../components/disclosure.ts';
import { type Errors, field, fieldset, select } from '../components/field.ts';
import { button, form } from '../components/form.ts';
import { moreTime } from '../components/more-time.ts';
import { type ActResult, actResult, hasErrors } from '../components/notice.ts';
import { textArea } from '../components/text-area.ts';
import { tick, ticks } from '../components/tick.ts';
import { type Frame, page } from '../frame.ts';
import { type Html, html, type Piece } from '../html.ts';
import { othersText, plainText } from '../others-text.ts';
import { paths } from '../paths.ts';
import type { Group } from './group.ts';

/** The numbers of the form's time fields. */
export const newTimes = [1, 2, 3, 4, 5, 6] as const;
/** How many of them are shown open. */
const openTimes = 2;

/** A plan or decision that is about to start. */
export interface NewCourse extends ActResult {
  group: Pick<Group, 'name' | 'handle'>;
  /** IANA; the zone of its times. */
  timeZone: string;
  /** The other members. */
  members: readonly { id: string; name: string }[];
  /** By field name. */
  values: Readonly<Record<string, string>>;
  /** Ids of the members to ask, if not everyone. */
  asked: readonly string[];
  /** Makes submitting the form twice start one. */
  attempt: string;
}

type Times = Pick<NewCourse, 'values' | 'errors'>;

/**
 * Proposes times to a group. Form: `title`, `where`, `details`, for each of `newTimes` `starts-<n>`,
 * `ends-<n>` or `date-<n>`, `hours`, `with` (several), `hidden_from`, `attempt` to paths.newPlan(handle).
 */
export function newPlanPage(frame: Frame, model: NewCourse): string {
  const { group, timeZone, values, errors = {} } = model;
  const parts = html`${field({ name: 'where', label: t('courses.where'), value: values['where'], optional: true, autocomplete: 'off', maxLength: 200, error: errors['where'] })}
<p class="hint">${t('plans.new-zone', { zone: zoneWords(timeZone) })}</p>
${someOpen(model, ['starts', 'ends', 'date'], (place) => planTime(model, place))}`;
  return coursePage(frame, model, {
    title: t('groups.propose-times'),
    lead: t('plans.new-lead'),
    action: paths.newPlan(group.handle),
    hours: '48',
    parts,
    send: t('groups.propose-times'),
  });
}

function planTime({ values, errors = {} }: NewCourse, place: number): Html {
  const at = (name: string) => ({
    name: `${name}-${place}`,
    value: values[`${name}-${place}`],
    error: errors[`${name}-${place}`],
    optional: true,
  });
  return fieldset(
    {
      id: `time-${place}`,
      legend: t('courses.time-number', { number: place }),
      error: errors[`time-${place}`],
    },
    html`${field({ ...at('starts'), label: t('courses.starts'), type: 'datetime-local' })}
${field({ ...at('ends'), label: t('courses.ends'), type: 'datetime-local', hint: t('courses.ends-hint') })}
${field({ ...at('date'), label: t('courses.or-day'), type: 'date' })}`,
  );
}

/**
 * Asks a group two to four questions. Form: `title`, `details`, for each of `newTimes` `when-<n>` or
 * `day-<n>`; `choice` with `options` (one per line); `bring` (yes); `words`; `hours`, `with` (several),
 * `hidden_from`, `attempt` to paths.newDecision(handle).
 */
export function newDecisionPage(frame: Frame, model: NewCourse): string {
  const { group, timeZone, values, errors = {} } = model;
  const parts = html`<h2 id="questions" tabindex="-1">${t('decisions.questions')}</h2>
<p class="hint">${t('decisions.new-hint')}</p>
${fieldset(
  {
    id: 'when',
    legend: t('decisions.new-when'),
    hint: t('decisions.new-when-hint', { zone: zoneWords(timeZone) }),
    error: errors['when'],
  },
  html`${someOpen(model, ['when'], (place) => timeField(model, 'when', place, 'datetime-local'))}
${disclosure(
  { summary: t('decisions.new-days'), open: newTimes.some((place) => isFilled(model, `day-${place}`)) },
  newTimes.map((place) => timeField(model, 'day', place, 'date')),
)}`,
)}
${fieldset(
  { id: 'which', legend: t('decisions.new-which'), error: errors['which'] },
  html`${field({ name: 'choice', label: t('decisions.new-question'), value: values['choice'], optional: true, autocomplete: 'off', maxLength: 200, hint: t('decisions.new-question-hint'), error: errors['choice'] })}
${textArea({ name: 'options', label: t('decisions.new-options'), value: values['options'], optional: true, rows: 4, hint: t('decisions.new-options-hint'), error: errors['options'] })}`,
)}
${fieldset(
  { id: 'what', legend: t('decisions.new-words') },
  html`${ticks([tick({ name: 'bring', value: 'yes', label: t('decisions.new-bring'), hint: t('decisions.new-bring-hint'), ticked: values['bring'] === 'yes' })])}
${field({ name: 'words', label: t('decisions.new-other'), value: values['words'], optional: true, autocomplete: 'off', maxLength: 200, hint: t('decisions.new-other-hint'), error: errors['words'] })}`,
)}`;
  return coursePage(frame, model, {
    title: t('groups.ask-group'),
    lead: t('decisions.new-lead'),
    action: paths.newDecision(group.handle),
    hours: '24',
    parts,
    send: t('groups.ask-group'),
  });
}

function timeField(
  { values, errors = {} }: NewCourse,
  of: string,
  place: number,
  type: 'date' | 'datetime-local',
): Html {
  const name = `${of}-${place}`;
  const label =
    type === 'date'
      ? t('courses.day-number', { number: place })
      : t('courses.time-number', { number: place });
  return field({ name, label, type, value: values[name], optional: true, error: errors[name] });
}

/** The first times, and the others behind a disclosure. @param names the fields of each time */
export function someOpen(model: Times, names: readonly string[], timeFields: (place: number) => Html): Html {
  const more = newTimes.slice(openTimes);
  const open = more.some((place) => names.some((name) => isFilled(model, `${name}-${place}`)));
  return html`${newTimes.slice(0, openTimes).map(timeFields)}
${disclosure({ summary: t('courses.more-times'), open }, more.map(timeFields))}`;
}

const isFilled = ({ values, errors = {} }: Times, name: string) =>
  (values[name] ?? '') !== '' || errors[name] !== undefined;

interface Parts {
  title: Text;
  lead: Text;
  action: string;
  /** The default hours for answers. */
  hours: string;
  parts: Piece;
  /** On the button. */
  send: Text;
}

function coursePage(
  frame: Frame,
  model: NewCourse,
  { title, lead, action, hours, parts, send }: Parts,
): string {
  const { group, values, errors = {}, attempt } = model;
  const main = html`<p class="back"><a href="${paths.group(group.handle)}">${othersText(group.name, 80)}</a></p>
<h1>${title}</h1>
<p class="lead">${lead}</p>
${actResult(model)}
<div class="card">
${form(
  frame,
  { action, carried: { attempt } },
  html`${field({ name: 'title', label: t('courses.title'), value: values['title'], autocomplete: 'off', maxLength: 140, error: errors['title'] })}
${textArea({ name: 'details', label: t('courses.details'), value: values['details'], optional: true, maxLength: 2_000, error: errors['details'] })}
${parts}
${moreTime('hours', values['hours'] ?? hours)}
${whoIsAsked(model)}
<div class="actions">${button(send)}</div>`,
)}
</div>`;
  return page(frame, { title, main, here: 'groups', narrow: true, hasErrors: hasErrors(errors as Errors) });
}

function whoIsAsked({ members, asked, values, errors = {} }: NewCourse): Html | false {
  if (members.length === 0) return false;
  const hiddenFrom = values['hidden_from'] ?? '';
  const error = errors['with'] ?? errors['hidden_from'];
  return disclosure(
    {
      summary: t('courses.not-everyone'),
      open: asked.length > 0 || hiddenFrom !== '' || error !== undefined,
    },
    html`${fieldset(
      {
        id: 'with',
        legend: t('courses.ask-only'),
        hint: t('courses.ask-only-hint'),
        error: errors['with'],
      },
      ticks(
        members.map(({ id, name }) =>
          tick({ name: 'with', value: id, label: othersText(name), ticked: asked.includes(id) }),
        ),
      ),
    )}
${select({
  name: 'hidden_from',
  label: t('courses.hide'),
  groups: [{ choices: members.map(({ id, name }) => ({ value: id, words: plainText(name, 60) })) }],
  value: hiddenFrom,
  empty: t('courses.hide-none'),
  optional: true,
  hint: t('courses.hide-hint'),
  error: errors['hidden_from'],
})}`,
  );
}
