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
 * Stops the home's mails to the address that got this link, and lets them go there again. Forms to paths.mailStop(key) and
 * paths.mailAgain(key). Opening the page changes nothing.
 */
export function mailStopPage(frame: Frame, { key, stopped }: MailStop): string {
  const { home } = frame;
  const title = `Mail from ${home}`;
  const told = stopped
    ? notice(
        'good',
        `${home} does not write to you any more`,
        'This holds for the address to which the link was sent, until a person signs in with it.',
      )
    : html`<p>${home} wrote to the address to which this link was sent: a person or an AI asks you something, invites you, or something waits for you.</p>`;
  const act = stopped
    ? form(
        frame,
        { action: paths.mailAgain(key) },
        html`<p class="actions">${button('Write to me again', { kind: 'plain' })}</p>`,
      )
    : form(
        frame,
        { action: paths.mailStop(key) },
        html`<p class="actions">${button('Never write to me again', { kind: 'main', describedBy: 'still' })}</p>`,
      );
  const main = html`<h1>${title}</h1>
<div class="card">
${told}
<p class="soft" id="still">The digits that you ask for to sign in, and warnings about an account of yours, come all the same.</p>
${act}
</div>`;
  return page(frame, { title, main, narrow: true });
}

export interface MailReport extends ReportForm {
  key: string;
  /** It has just been sent. */
  reported?: boolean;
}

/** Reports the sender of a mail to the operator. Form to paths.mailReport(key): `reason`, `text`. */
export function mailReportPage(
  frame: Frame,
  { key, values = {}, errors = {}, reported }: MailReport,
): string {
  const { home } = frame;
  const title = 'Report a mail';
  const main = reported
    ? html`<h1>${title}</h1>
<div class="card">${notice('good', 'Your report is in', `The people who run ${home} read it. The sender is not told.`)}</div>`
    : html`<h1>${title}</h1>
${errorSummary(errors)}
<div class="card">
<p>Only the people who run ${home} read this. The sender is not told.</p>
${reportForm(frame, paths.mailReport(key), { values, errors })}
</div>`;
  return page(frame, { title, main, narrow: true, hasErrors: hasErrors(errors) });
}
