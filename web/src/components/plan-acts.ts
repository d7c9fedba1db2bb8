import type { Frame } from '../frame.ts';
import { type Html, html, type Piece } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { type Plan, type PlanOption, type PlanPage, scoreOf } from '../plan.ts';
import { disclosure } from './disclosure.ts';
import { field } from './field.ts';
import { button, form } from './form.ts';
import { moreTime } from './more-time.ts';
import { tick, ticks } from './tick.ts';
import { zonedPeriod } from './zoned-time.ts';

/** The acts of the proposer and the organizers. Each form has `do`: settle, add, extend, cancel. */
export function planActs(frame: Frame, { plan, values, errors = {} }: PlanPage): Html | false {
  if (plan.status !== 'open' || frame.byLink !== undefined || !plan.runs) return false;
  const error = errors['starts_at'];
  return html`<section class="card" aria-labelledby="acts">
<h2 id="acts">For those who run it</h2>
${disclosure({ summary: 'Settle it', id: 'act-settle' }, html`<p>It is agreed at once, signed, and its people are told.</p><ul class="lines">${byScore(plan).map((option) => settleRow(frame, plan, option))}</ul>`)}
<div class="run-acts">
${disclosure(
  {
    summary: 'Add an option',
    id: 'act-add',
    open: error !== undefined || errors['ends_at'] !== undefined || errors['date'] !== undefined,
  },
  act(
    frame,
    plan,
    'add',
    html`${
      plan.timeZone !== undefined &&
      html`${field({ name: 'starts_at', label: 'Starts', type: 'datetime-local', optional: true, value: values['starts_at'], hint: `The clock of ${plan.timeZone.replaceAll('_', ' ')}.`, error })}
${field({ name: 'ends_at', label: 'Ends', type: 'datetime-local', optional: true, value: values['ends_at'], hint: 'An hour later when it is empty.', error: errors['ends_at'] })}`
    }
${field({ name: 'date', label: plan.timeZone === undefined ? 'Day' : 'Or a whole day', type: 'date', optional: true, value: values['date'], error: plan.timeZone === undefined ? (error ?? errors['date']) : errors['date'] })}
${field({ name: 'label', label: 'A few words about it', optional: true, maxLength: 80, value: values['label'], error: errors['label'] })}
${button('Add it')}`,
  ),
)}
${!plan.isClash && disclosure({ summary: 'Give more time', id: 'act-extend' }, act(frame, plan, 'extend', html`${moreTime('extend-hours')}${button('Give more time')}`))}
${disclosure(
  { summary: 'Cancel it', id: 'act-cancel' },
  act(
    frame,
    plan,
    'cancel',
    html`<p>It cannot be taken up again. Its people are told.</p>${field({ name: 'reason', label: 'Why?', optional: true, maxLength: 280, hint: 'They are told this reason.' })}${button('Cancel the plan', { kind: 'danger' })}`,
  ),
)}
</div>
</section>`;
}

function act(frame: Frame, { id }: Plan, name: string, inside: Html): Html {
  return form(frame, { action: paths.plan(id), carried: { do: name } }, inside);
}

/** The option of most first. */
function byScore(plan: Plan): PlanOption[] {
  const rank = (option: PlanOption) => {
    const { works, approve } = scoreOf(plan, option);
    return 1_000 * works + approve;
  };
  return [...plan.options].sort((one, other) => rank(other) - rank(one));
}

function settleRow(frame: Frame, plan: Plan, option: PlanOption): Html {
  const { works, approve, refuse } = scoreOf(plan, option);
  const asked = plan.people.filter((one) => one.asked).length;
  const named = (words: string, is: (stance: string) => boolean): Piece => {
    const names = plan.people.filter(({ id }) =>
      option.stances.some(({ person, stance }) => person === id && is(stance)),
    );
    return (
      names.length > 0 &&
      html`<p class="soft">${words}: ${names.map(({ name }, index) => html`${index > 0 && ', '}${othersText(name)}`)}</p>`
    );
  };
  const name = optionName(frame, plan, option);
  return html`<li><p class="line-answer">${name}</p>
<p>${works} of ${asked} say that it works${approve > 0 && `, ${approve} approve`}.</p>
${named('Works for', (stance) => stance !== 'not')}${named('Not for', (stance) => stance === 'not')}
${act(
  frame,
  plan,
  'settle',
  html`<input type="hidden" name="option" value="${option.id}">
${refuse === asked && ticks([tick({ name: 'confirm_refused', id: `confirm-${option.id}`, value: 'on', label: 'Settle it although it works for no one', ticked: false })])}
${button(html`<span>Settle on this<span class="unseen">: ${name}</span></span>`, { kind: 'plain' })}`,
)}</li>`;
}

export function optionName(frame: Frame, { timeZone }: Plan, { time, endsAt, label }: PlanOption): Html {
  return html`${zonedPeriod(frame, { startsAt: time, endsAt }, timeZone)}${label !== undefined && label !== '' && html`: ${othersText(label, 80)}`}`;
}
