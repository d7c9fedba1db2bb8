import { t } from '@hearth/i18n';
import type { Frame } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { othersText, plainText } from '../others-text.ts';
import { pill } from './ai-name.ts';
import { moment } from './time.ts';

/** A recipient of an ask. */
export interface AskRecipient {
  /** Address, email address or shielded id. */
  to: string;
  name: string;
  decision: 'waiting' | 'approved' | 'declined';
  answer?: string | undefined;
  note?: string | undefined;
  atMs?: number | undefined;
  by?: 'person' | 'ai' | undefined;
  /** Whether it is the viewer. */
  isViewer: boolean;
}

const tones = { waiting: 'plain', approved: 'good', declined: 'care' } as const;

/** Everyone who is asked, with their answers so far. */
export function whoIsAsked(frame: Frame, people: readonly AskRecipient[]): Html | false {
  if (people.length === 0) return false;
  return html`<section class="card" aria-labelledby="people">
<h2 id="people">${t('ask.people')}</h2>
<ul class="log">${people.map((recipient) => {
    return html`<li class="asked"><span class="asked-who">${othersText(recipient.name)}${recipient.isViewer && html` <span class="soft">${t('courses.yours')}</span>`} <bdi class="address soft">${plainText(recipient.to, 80)}</bdi></span>
<span class="asked-state">${pill(t(`ask.said.${recipient.decision}`), tones[recipient.decision])}${recipient.by !== undefined && html` ${pill(t(`ask.by.${recipient.by}`), recipient.by === 'ai' ? 'care' : 'plain')}`}</span>
${recipient.answer !== undefined && html`<span class="asked-words">${othersText(recipient.answer, 500)}</span>`}
${recipient.note !== undefined && html`<span class="asked-words soft">${t('ask.note-of', { note: othersText(recipient.note, 280) })}</span>`}
${recipient.atMs !== undefined && html`<span class="log-time">${moment(frame, recipient.atMs)}</span>`}</li>`;
  })}</ul>
</section>`;
}
