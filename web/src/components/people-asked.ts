import { t } from '@hearth/i18n';
import type { DecisionPerson } from '../decision.ts';
import { type Html, html } from '../html.ts';
import { othersText } from '../others-text.ts';
import { pill } from './ai-name.ts';

/** The people of a decision or plan, and whether it waits for them. */
export function peopleAsked(people: readonly DecisionPerson[]): Html {
  return html`<section class="card" aria-labelledby="people"><h2 id="people">${t('courses.people')}</h2>
<ul class="log">${people.map(
    ({ name, isViewer, spokenFor, guarded, waiting, answered }) =>
      html`<li class="asked"><span class="asked-who">${othersText(name)}${isViewer && html` <span class="soft">${t('courses.yours')}</span>`}${guarded && html` <span class="soft">${t('courses.guarded')}</span>`}</span><span class="asked-state">${waiting ? pill(spokenFor ? t('courses.state.yours') : t('courses.state.waiting'), 'care') : answered ? pill(t('courses.state.answered'), 'good') : pill(t('courses.state.unanswered'))}</span></li>`,
  )}</ul></section>`;
}
