import type { DecisionPerson } from '../decision.ts';
import { type Html, html } from '../html.ts';
import { othersText } from '../others-text.ts';
import { pill } from './ai-name.ts';

/** The people of a decision or a plan, with whether it waits for them. */
export function peopleAsked(people: readonly DecisionPerson[]): Html {
  return html`<section class="card" aria-labelledby="people"><h2 id="people">Who is asked</h2>
<ul class="log">${people.map(
    ({ name, isViewer, spokenFor, guarded, waiting, answered }) =>
      html`<li class="asked"><span class="asked-who">${othersText(name)}${isViewer && html` <span class="soft">(you)</span>`}${guarded && html` <span class="soft">(a guardian answers)</span>`}</span><span class="asked-state">${waiting ? pill(spokenFor ? 'it waits for you' : 'it waits for them', 'care') : answered ? pill('answered', 'good') : pill('not answered')}</span></li>`,
  )}</ul></section>`;
}
