import { t } from '@hearth/i18n';
import { button, form } from '../components/form.ts';
import { errorSummary, hasErrors, notice } from '../components/notice.ts';
import { type ReportForm, reportForm } from '../components/report-form.ts';
import { type Frame, page } from '../frame.ts';
import { html } from '../html.ts';
import { paths } from '../paths.ts';

export interface MailStop {
  key: string;
  stopped: boolean;
}

/**
 * Stops the home's mails to the recipient of this link, or resumes them. Forms to paths.mailStop(key) and
 * paths.mailAgain(key). Opening the page changes nothing.
 */
export function mailStopPage(frame: Frame, { key, stopped }: MailStop): string {
  const { home } = frame;
  const title = t('mail-pages.title', { home });
  const told = stopped
    ? notice('good', t('mail-pages.stopped', { home }), t('mail-pages.stopped-more'))
    : html`<p>${t('mail-pages.lead', { home })}</p>`;
  const act = stopped
    ? form(
        frame,
        { action: paths.mailAgain(key) },
        html`<p class="actions">${button(t('mail-pages.again'), { kind: 'plain' })}</p>`,
      )
    : form(
        frame,
        { action: paths.mailStop(key) },
        html`<p class="actions">${button(t('mail-pages.stop'), { kind: 'main', describedBy: 'still' })}</p>`,
      );
  const main = html`<h1>${title}</h1>
<div class="card">
${told}
<p class="soft" id="still">${t('mail-pages.still')}</p>
${act}
</div>`;
  return page(frame, { title, main, narrow: true });
}

export interface MailReport extends ReportForm {
  key: string;
  /** Whether it was just sent. */
  reported?: boolean;
}

/** Reports the sender of a mail to the operator. Form to paths.mailReport(key): `reason`, `text`. */
export function mailReportPage(
  frame: Frame,
  { key, values = {}, errors = {}, reported }: MailReport,
): string {
  const { home } = frame;
  const title = t('mail-pages.report');
  const main = reported
    ? html`<h1>${title}</h1>
<div class="card">${notice('good', t('mail-pages.reported'), t('mail-pages.reported-more', { home }))}</div>`
    : html`<h1>${title}</h1>
${errorSummary(errors)}
<div class="card">
<p>${t('mail-pages.report-lead', { home })}</p>
${reportForm(frame, paths.mailReport(key), { values, errors })}
</div>`;
  return page(frame, { title, main, narrow: true, hasErrors: hasErrors(errors) });
}
