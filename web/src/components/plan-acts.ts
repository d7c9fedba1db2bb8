import { zoneWords } from '@hearth/calendar/moments';
import { listed, type Text, t } from '@hearth/i18n';
import type { Frame } from '../frame.ts';
import { type Html, html, type Piece, unseen } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { type Plan, type PlanOption, type PlanPage, scoreOf } from '../plan.ts';
import { disclosure } from './disclosure.ts';
import { field } from './field.ts';
import { button, form } from './form.ts';
import { moreTime } from './more-time.ts';
import { optionWords } from './stance-grid.ts';
import { tick, ticks } from './tick.ts';
import { zonedPeriod } from './zoned-time.ts';

/** The acts of the proposer and the organizers. Forms with `do`: settle, add, extend, cancel. */
export function planActs(frame: Frame, { plan, values, errors = {} }: PlanPage): Html | false {
  if (plan.status !== 'open' || frame.byLink !== undefined || !plan.runs) return false;
  const error = errors['starts_at'];
  return html`<section class="card" aria-labelledby="acts">
<h2 id="acts">${t('plans.manage')}</h2>
${disclosure({ summary: t('plans.settle'), id: 'act-settle' }, html`<p>${t('plans.settle-more')}</p><ul class="lines">${byScore(plan).map((option) => settleRow(frame, plan, option))}</ul>`)}
<div class="run-acts">
${disclosure(
  {
    summary: t('plans.add'),
    id: 'act-add',
    open: error !== undefined || errors['ends_at'] !== undefined || errors['date'] !== undefined,
  },
  act(
    frame,
    plan,
    'add',
    html`${
      plan.timeZone !== undefined &&
      html`${field({ name: 'starts_at', label: t('courses.starts'), type: 'datetime-local', optional: true, value: values['starts_at'], hint: t('plans.add-starts-hint', { zone: zoneWords(plan.timeZone) }), error })}
${field({ name: 'ends_at', label: t('courses.ends'), type: 'datetime-local', optional: true, value: values['ends_at'], hint: t('courses.ends-hint'), error: errors['ends_at'] })}`
    }
${field({ name: 'date', label: plan.timeZone === undefined ? t('courses.day') : t('courses.or-day'), type: 'date', optional: true, value: values['date'], error: plan.timeZone === undefined ? (error ?? errors['date']) : errors['date'] })}
${field({ name: 'label', label: t('plans.add-label'), optional: true, maxLength: 80, value: values['label'], error: errors['label'] })}
${button(t('plans.add-send'))}`,
  ),
)}
${!plan.isClash && disclosure({ summary: t('courses.extend'), id: 'act-extend' }, act(frame, plan, 'extend', html`${moreTime('extend-hours')}${button(t('courses.extend'))}`))}
${disclosure(
  { summary: t('plans.cancel'), id: 'act-cancel' },
  act(
    frame,
    plan,
    'cancel',
    html`<p>${t('plans.cancel-more')}</p>${field({ name: 'reason', label: t('courses.reason'), optional: true, maxLength: 280, hint: t('plans.reason-hint') })}${button(t('plans.cancel'), { kind: 'danger' })}`,
  ),
)}
</div>
</section>`;
}

function act(frame: Frame, { id }: Plan, name: string, inside: Html): Html {
  return form(frame, { action: paths.plan(id), carried: { do: name } }, inside);
}

/** The options, best first. */
function byScore(plan: Plan): PlanOption[] {
  const rank = (option: PlanOption) => {
    const { works, approve } = scoreOf(plan, option);
    return 1_000 * works + approve;
  };
  return [...plan.options].sort((one, other) => rank(other) - rank(one));
}

function settleRow(frame: Frame, plan: Plan, option: PlanOption): Html {
  const { works, approve, refuse } = scoreOf(plan, option);
  const asked = plan.people.filter((person) => person.asked).length;
  const named = (words: (names: Text) => Text, is: (stance: string) => boolean): Piece => {
    const names = plan.people
      .filter(({ id }) => option.stances.some(({ person, stance }) => person === id && is(stance)))
      .map(({ name }) => othersText(name));
    return names.length > 0 && html`<p class="soft">${words(listed(names))}</p>`;
  };
  const name = optionName(frame, plan, option);
  return html`<li><p class="line-answer">${name}</p>
<p>${t('plans.settle-score', { works, asked, approve })}</p>
${named(
  (names) => t('plans.works-for', { names }),
  (stance) => stance !== 'not',
)}${named(
  (names) => t('plans.not-for', { names }),
  (stance) => stance === 'not',
)}
${act(
  frame,
  plan,
  'settle',
  html`<input type="hidden" name="option" value="${option.id}">
${refuse === asked && ticks([tick({ name: 'confirm_refused', id: `confirm-${option.id}`, value: 'on', label: t('plans.settle-refused'), ticked: false })])}
${button(t('plans.settle-on', { option: html`${name}`, unseen }), { kind: 'plain' })}`,
)}</li>`;
}

export const optionName = (frame: Frame, { timeZone }: Plan, { time, endsAt, label }: PlanOption): Piece =>
  optionWords(zonedPeriod(frame, { startsAt: time, endsAt }, timeZone), label);
