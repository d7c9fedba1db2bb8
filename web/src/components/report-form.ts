import type { Frame } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { type Errors, fieldset } from './field.ts';
import { button, form } from './form.ts';
import { textArea } from './text-area.ts';
import { tick, ticks } from './tick.ts';

export const reportChoices = {
  spam: 'Unwanted advertising',
  scam: 'A swindle, or a false link',
  harassment: 'They keep bothering or threaten me',
  child_safety: 'A child is in danger',
  impersonation: 'They say that they are another person',
  other: 'Something else',
} as const;

export interface ReportForm {
  values?: { reason?: string; text?: string };
  errors?: Errors<'reason' | 'text'>;
}

/** Reports something to the operator: `reason`, `text`. */
export function reportForm(frame: Frame, action: string, { values = {}, errors = {} }: ReportForm): Html {
  const reasons = Object.entries(reportChoices).map(([value, label]) =>
    tick({ kind: 'radio', name: 'reason', value, label, ticked: value === values.reason }),
  );
  return form(
    frame,
    { action },
    html`${fieldset({ id: 'reason', legend: 'What is wrong with it?', error: errors.reason }, ticks(reasons))}
${textArea({ name: 'text', label: 'What happened', value: values.text, optional: true, maxLength: 2000, error: errors.text })}
<p class="actions">${button('Report it')}</p>`,
  );
}
