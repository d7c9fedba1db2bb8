import type { Frame } from '../frame.ts';
import { type Html, html, type Piece } from '../html.ts';
import { button, form } from './form.ts';
import { notice } from './notice.ts';
import { moment } from './time.ts';

export interface WaitingDeletion {
  /** "Your account", "The account of Ada". */
  subject: Piece;
  deletesAtMs: number;
  /** Where the form goes that takes it back; undefined for whoever may not. */
  keep: { action: string; words: Piece } | undefined;
}

/** An account that is about to go. Form: nothing more to `keep.action`. */
export function waitingDeletion(frame: Frame, { subject, deletesAtMs, keep }: WaitingDeletion): Html {
  return html`<div class="card">
${notice(
  'care',
  html`${subject} will be deleted on ${moment(frame, deletesAtMs)}`,
  keep === undefined
    ? 'Until then nothing changes. A guardian can take it back.'
    : 'Until then nothing changes, and it can be taken back.',
)}
${keep !== undefined && form(frame, { action: keep.action }, button(keep.words))}
</div>`;
}
