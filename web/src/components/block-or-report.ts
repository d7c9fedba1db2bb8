import type { Frame } from '../frame.ts';
import { attributes, type Html, html } from '../html.ts';
import { REPORT_COPY, reportReasons } from '../request-copy.ts';
import { button, type FormParts, form } from './form.ts';
import { textArea } from './text-area.ts';

export interface BlockOrReportParts {
  /** Tells the rows of a page apart. */
  index?: number;
  /** The text as it was typed, with what is wrong with it. */
  text?: string | undefined;
  error?: string | undefined;
}

/** A sender whom one wants no more of: `do` block, report or both, with `reason` and `text`. */
export function blockOrReport(
  frame: Frame,
  to: FormParts,
  { index = 0, text, error }: BlockOrReportParts = {},
): Html {
  return html`<details ${attributes({ class: 'act less', name: `row-${index}`, open: error !== undefined })}><summary class="button quiet">Block or report</summary>
${form(
  frame,
  to,
  html`<p class="hint">Who is blocked is never told. What waits from them is declined.</p>
<div class="field"><label for="reason-${index}">What is wrong?</label>
<select id="reason-${index}" name="reason">${reportReasons.map((reason) => html`<option value="${reason}">${REPORT_COPY[reason]}</option>`)}</select></div>
${textArea({
  name: 'text',
  id: `text-${index}`,
  label: 'For whoever runs this home',
  optional: true,
  maxLength: 2_000,
  rows: 2,
  value: text,
  error,
})}
<div class="actions">
${button('Block', { kind: 'danger', name: 'do', value: 'block' })}
${button('Report', { kind: 'plain', name: 'do', value: 'report' })}
${button('Block and report', { kind: 'danger', name: 'do', value: 'both' })}
</div>`,
)}</details>`;
}
