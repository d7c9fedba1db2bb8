import { t } from '@hearth/i18n';
import type { Frame } from '../frame.ts';
import { attributes, type Html, html, type Words } from '../html.ts';
import { reportReasons } from '../request-copy.ts';
import { button, type FormParts, form } from './form.ts';
import { textArea } from './text-area.ts';

export interface BlockOrReportParts {
  /** Distinguishes the rows of a page. */
  index?: number;
  /** The text as typed, and its error. */
  text?: string | undefined;
  error?: Words | undefined;
}

/** Blocks or reports a sender: `do` (block, report or both), with `reason` and `text`. */
export function blockOrReport(
  frame: Frame,
  to: FormParts,
  { index = 0, text, error }: BlockOrReportParts = {},
): Html {
  return html`<details ${attributes({ class: 'act less', name: `row-${index}`, open: error !== undefined })}><summary class="button quiet">${t('report.title')}</summary>
${form(
  frame,
  to,
  html`<p class="hint">${t('report.blocked-hint')}</p>
<div class="field"><label for="reason-${index}">${t('report.reason')}</label>
<select id="reason-${index}" name="reason">${reportReasons.map((reason) => html`<option value="${reason}">${t(`report.reason.${reason}`)}</option>`)}</select></div>
${textArea({
  name: 'text',
  id: `text-${index}`,
  label: t('report.to-operator'),
  optional: true,
  maxLength: 2_000,
  rows: 2,
  value: text,
  error,
})}
<div class="actions">
${button(t('report.block'), { kind: 'danger', name: 'do', value: 'block' })}
${button(t('report.report'), { kind: 'plain', name: 'do', value: 'report' })}
${button(t('report.both'), { kind: 'danger', name: 'do', value: 'both' })}
</div>`,
)}</details>`;
}
