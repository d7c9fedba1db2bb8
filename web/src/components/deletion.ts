import { t } from '@hearth/i18n';
import type { Frame } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { othersText } from '../others-text.ts';
import { button, form } from './form.ts';
import { notice } from './notice.ts';
import { moment } from './time.ts';

export interface WaitingDeletion {
  /** The name of the child whose account it is; undefined for the viewer's own. */
  child?: string | undefined;
  deletesAtMs: number;
  /** The undo form's action; undefined if the viewer may not undo. */
  keep: string | undefined;
}

/** Announces the deletion of an account. Form without fields to `keep`. */
export function waitingDeletion(frame: Frame, { child, deletesAtMs, keep }: WaitingDeletion): Html {
  const at = moment(frame, deletesAtMs);
  return html`<div class="card">
${notice(
  'care',
  child === undefined ? t('deletion.own', { at }) : t('deletion.child', { child: othersText(child), at }),
  keep === undefined ? t('deletion.undo-guardian') : t('deletion.undo'),
)}
${keep !== undefined && form(frame, { action: keep }, button(t('deletion.keep')))}
</div>`;
}
