import type { Frame } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { othersText, plainText } from '../others-text.ts';
import { pill } from './ai-name.ts';
import { moment } from './time.ts';

/** A recipient of an ask. */
export interface AskedOne {
  /** Address, e-mail address or shielded id. */
  to: string;
  name: string;
  decision: 'waiting' | 'approved' | 'declined';
  answer?: string | undefined;
  note?: string | undefined;
  atMs?: number | undefined;
  by?: 'person' | 'ai' | undefined;
  /** It is the viewer of the page. */
  isViewer: boolean;
}

const decisionWords = {
  waiting: { words: 'has not answered', tone: 'plain' },
  approved: { words: 'approved', tone: 'good' },
  declined: { words: 'declined', tone: 'care' },
} as const;

/** Everybody who is asked, with what they said so far. */
export function whoIsAsked(frame: Frame, people: readonly AskedOne[], title: string): Html | false {
  if (people.length === 0) return false;
  return html`<section class="card" aria-labelledby="people">
<h2 id="people">${title}</h2>
<ul class="log">${people.map((one) => {
    const { words, tone } = decisionWords[one.decision];
    return html`<li class="asked"><span class="asked-who">${othersText(one.name)}${one.isViewer && html` <span class="soft">(you)</span>`} <bdi class="address soft">${plainText(one.to, 80)}</bdi></span>
<span class="asked-state">${pill(words, tone)}${one.by !== undefined && html` ${pill(one.by === 'ai' ? 'by their AI' : 'by a person', one.by === 'ai' ? 'care' : 'plain')}`}</span>
${one.answer !== undefined && html`<span class="asked-words">${othersText(one.answer, 500)}</span>`}
${one.note !== undefined && html`<span class="asked-words soft">Note: ${othersText(one.note, 280)}</span>`}
${one.atMs !== undefined && html`<span class="log-time">${moment(frame, one.atMs)}</span>`}</li>`;
  })}</ul>
</section>`;
}
