import { t } from '@hearth/i18n';
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

/** So many times the forms take. */
export const newTimes = [1, 2, 3, 4, 5, 6] as const;
/** So many of them stand open. */
const openTimes = 2;

/** A plan or a decision that is about to begin. */
export interface NewCourse extends ActResult {
  group: Pick<Group, 'name' | 'handle'>;
  /** IANA: its times are meant in it. */
  timeZone: string;
  /** The other members. */
  members: readonly { id: string; name: string }[];
  /** By the names of the fields. */
  values: Readonly<Record<string, string>>;
  /** Ids of the members who alone are asked. */
  asked: readonly string[];
  /** Makes a form that is sent twice begin one. */
  attempt: string;
}

type Times = Pick<NewCourse, 'values' | 'errors'>;

/**
 * Proposes times to a group. Form: `title`, `where`, `details`, for each of `newTimes` `starts-<n>`, `ends-<n>` or `date-<n>`, `hours`,
 * `with` (several), `hidden_from`, `attempt` to paths.newPlan(handle).
 */
export function newPlanPage(frame: Frame, model: NewCourse): string {
  const { group, timeZone, values, errors = {} } = model;
  const parts = html`${field({ name: 'where', label: 'Where', value: values['where'], optional: true, autocomplete: 'off', maxLength: 200, error: errors['where'] })}
<p class="hint">Times are by the clocks of ${zoneWords(timeZone)}.</p>
${someOpen(model, ['starts', 'ends', 'date'], (place) => planTime(model, place))}`;
  return coursePage(frame, model, {
    title: 'Propose times',
    lead: 'Each says which of them work. You settle on one, or the group does.',
    action: paths.newPlan(group.handle),
    hours: '48',
    parts,
    send: 'Propose them',
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
    { id: `time-${place}`, legend: `Time ${place}`, error: errors[`time-${place}`] },
    html`${field({ ...at('starts'), label: 'Starts', type: 'datetime-local' })}
${field({ ...at('ends'), label: 'Ends', type: 'datetime-local', hint: 'An hour later when it is empty.' })}
${field({ ...at('date'), label: 'Or a whole day', type: 'date' })}`,
  );
}

/**
 * Asks a group two to four things. Form: `title`, `details`, for each of `newTimes` `when-<n>` or `day-<n>`; `choice` with `options` (one in
 * a line); `bring` (yes); `words`; `hours`, `with` (several), `hidden_from`, `attempt` to paths.newDecision(handle).
 */
export function newDecisionPage(frame: Frame, model: NewCourse): string {
  const { group, timeZone, values, errors = {} } = model;
  const parts = html`<h2 id="questions" tabindex="-1">The questions</h2>
<p class="hint">Fill in two of them at least; the others are left out.</p>
${fieldset(
  {
    id: 'when',
    legend: 'When?',
    hint: `Two times at least, by the clocks of ${zoneWords(timeZone)}; or two days.`,
    error: errors['when'],
  },
  html`${someOpen(model, ['when'], (place) => timeField(model, 'when', place, 'datetime-local'))}
${disclosure(
  { summary: 'Whole days', open: newTimes.some((place) => isFilled(model, `day-${place}`)) },
  newTimes.map((place) => timeField(model, 'day', place, 'date')),
)}`,
)}
${fieldset(
  { id: 'which', legend: 'Which one?', error: errors['which'] },
  html`${field({ name: 'choice', label: 'The question', value: values['choice'], optional: true, autocomplete: 'off', maxLength: 200, hint: 'Such as: Which cake?', error: errors['choice'] })}
${textArea({ name: 'options', label: 'What there is to choose', value: values['options'], optional: true, rows: 4, hint: 'One in a line, two at least.', error: errors['options'] })}`,
)}
${fieldset(
  { id: 'what', legend: 'In their own words' },
  html`${ticks([tick({ name: 'bring', value: 'yes', label: 'What do you bring?', hint: 'Each writes what they bring; what two bring is marked.', ticked: values['bring'] === 'yes' })])}
${field({ name: 'words', label: 'Another question', value: values['words'], optional: true, autocomplete: 'off', maxLength: 200, hint: 'Each answers it in a few words.', error: errors['words'] })}`,
)}`;
  return coursePage(frame, model, {
    title: 'Ask the group',
    lead: 'Each answers, or their AI does. The AI of the group makes one proposal of the answers, which all approve.',
    action: paths.newDecision(group.handle),
    hours: '24',
    parts,
    send: 'Ask them',
  });
}

function timeField(
  { values, errors = {} }: NewCourse,
  of: string,
  place: number,
  type: 'date' | 'datetime-local',
): Html {
  const name = `${of}-${place}`;
  const label = type === 'date' ? `Day ${place}` : `Time ${place}`;
  return field({ name, label, type, value: values[name], optional: true, error: errors[name] });
}

/** The first times, and the others below a line of words. @param names the fields of each */
export function someOpen(model: Times, names: readonly string[], one: (place: number) => Html): Html {
  const more = newTimes.slice(openTimes);
  const open = more.some((place) => names.some((name) => isFilled(model, `${name}-${place}`)));
  return html`${newTimes.slice(0, openTimes).map(one)}
${disclosure({ summary: t('courses.more-times'), open }, more.map(one))}`;
}

const isFilled = ({ values, errors = {} }: Times, name: string) =>
  (values[name] ?? '') !== '' || errors[name] !== undefined;

const zoneWords = (zone: string) => plainText(zone.replaceAll('_', ' '), 60);

interface Parts {
  title: string;
  lead: string;
  action: string;
  /** The usual hours for answers. */
  hours: string;
  parts: Piece;
  /** On the button. */
  send: string;
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
  html`${field({ name: 'title', label: 'Title', value: values['title'], autocomplete: 'off', maxLength: 140, error: errors['title'] })}
${textArea({ name: 'details', label: 'More about it', value: values['details'], optional: true, maxLength: 2_000, error: errors['details'] })}
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
    { summary: 'Not everyone', open: asked.length > 0 || hiddenFrom !== '' || error !== undefined },
    html`${fieldset(
      {
        id: 'with',
        legend: 'Ask these alone',
        hint: 'And you. Everyone is asked when none is ticked.',
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
  label: 'Hide it from',
  groups: [
    { label: '', choices: members.map(({ id, name }) => ({ value: id, words: plainText(name, 60) })) },
  ],
  value: hiddenFrom,
  empty: 'no one',
  optional: true,
  hint: 'For a surprise: they and their AIs see nothing of it.',
  error: errors['hidden_from'],
})}`,
  );
}
