import { t } from '@hearth/i18n';
import type { Frame } from '../frame.ts';
import { type Html, html } from '../html.ts';
import type { ReportReason } from '../request-copy.ts';
import { type Errors, fieldset } from './field.ts';
import { button, form } from './form.ts';
import { textArea } from './text-area.ts';
import { tick, ticks } from './tick.ts';

/** The reasons for reporting a group or a post. */
export const reportChoices = [
  'spam',
  'scam',
  'harassment',
  'child_safety',
  'impersonation',
  'other',
] as const satisfies readonly ReportReason[];

export interface ReportForm {
  values?: { reason?: string; text?: string };
  errors?: Errors<'reason' | 'text'>;
}

/** Reports something to the operator. Fields: `reason`, `text`. */
export function reportForm(frame: Frame, action: string, { values = {}, errors = {} }: ReportForm): Html {
  const reasons = reportChoices.map((value) =>
    tick({
      ...{ kind: 'radio', name: 'reason', value, ticked: value === values.reason },
      label: t(`report.reason.${value}`),
    }),
  );
  return form(
    frame,
    { action },
    html`${fieldset({ id: 'reason', legend: t('report.what'), error: errors.reason }, ticks(reasons))}
${textArea({ name: 'text', label: t('report.what-happened'), value: values.text, optional: true, maxLength: 2000, error: errors.text })}
<p class="actions">${button(t('report.report'))}</p>`,
  );
}
