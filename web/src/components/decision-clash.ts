import { listed, t } from '@hearth/i18n';
import type { Decision, DecisionClash } from '../decision.ts';
import { namesOf } from '../decision.ts';
import type { Frame } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { othersText } from '../others-text.ts';
import { paths } from '../paths.ts';
import { pill } from './ai-name.ts';
import { picksOf } from './for-whom.ts';
import { button, form } from './form.ts';
import { moment } from './time.ts';
import { zonedTime } from './zoned-time.ts';

/**
 * Both sides of a clash. Form: `do` (pick), `question`, `pick` (the option's index), only for the people on
 * both sides.
 */
export function clashCard(frame: Frame, decision: Decision, clash: DecisionClash): Html {
  const question = decision.questions.find(({ id }) => id === clash.question);
  const picks =
    decision.status === 'clash' &&
    frame.byLink === undefined &&
    decision.people.some(({ id, spokenFor }) => spokenFor && clash.people.includes(id));
  const waits = namesOf(decision, clash.waitingFor);
  const side = ({ answer, people, byAi }: DecisionClash['sides'][number]) => {
    const options = typeof answer === 'string' ? [answer] : answer;
    const words = (option: string) =>
      question?.kind === 'when' ? zonedTime(frame, option, decision.timeZone) : othersText(option, 80);
    return html`<li class="side">
<p><strong>${listed(namesOf(decision, people))}</strong>${byAi && html` ${pill(t('decisions.conflict-by-ais'))}`}</p>
${options.length === 0 && html`<p>${t('decisions.conflict-none')}</p>`}
${options.map((option) =>
  picks
    ? html`${button(t('decisions.conflict-choose', { option: words(option) }), {
        kind: 'plain',
        name: 'pick',
        value: String(question?.options.indexOf(option) ?? -1),
      })}${picksOf(decision.people, option)}`
    : html`<p>${words(option)}</p>`,
)}</li>`;
  };
  const sides = html`<ul class="sides">${clash.sides.map(side)}</ul>`;
  return html`<section class="card" aria-labelledby="clash">
<h2 id="clash">${t('decisions.conflict')}</h2>
<p>${othersText(question?.prompt ?? '', 200)}</p>
${picks ? form(frame, { action: paths.decision(decision.id), carried: { do: 'pick', question: String(clash.question) } }, sides) : sides}
${
  decision.status === 'clash' &&
  html`<p class="soft">${t('decisions.conflict-until', { at: moment(frame, clash.untilMs) })}${waits.length > 0 && html` ${t('decisions.conflict-waiting', { names: listed(waits) })}`}</p>`
}
</section>`;
}
