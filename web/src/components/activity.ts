import { t } from '@hearth/i18n';
import type { Frame } from '../frame.ts';
import { type Html, html, type Words } from '../html.ts';
import { othersText } from '../others-text.ts';
import { homeWords } from './home-words.ts';
import { moment } from './time.ts';

export interface Did {
  atMs: number;
  /** The act as catalogue text, which may quote others; or in English, for old entries. */
  words: Words | string;
}

/** An AI's acts, newest first; undefined if they could not be loaded. */
export function activityList(frame: Frame, done: readonly Did[] | undefined, none: Words): Html {
  if (done === undefined) return html`<p class="soft">${t('common.not-shown')}</p>`;
  if (done.length === 0) return html`<p class="soft">${none}</p>`;
  return html`<ul class="log">${done.map(
    ({ atMs, words }) =>
      html`<li><span class="log-words">${typeof words === 'string' ? homeWords(frame, words, (part) => othersText(part, 140)) : words}</span><span class="log-time">${moment(frame, atMs)}</span></li>`,
  )}</ul>`;
}
