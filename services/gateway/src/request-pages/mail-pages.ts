import { MailsService } from '@hearth/proto/delivery/v1/mails';
import { RateClass } from '@hearth/proto/options';
import { mailReportPage, mailStopPage } from '@hearth/web';
import { type Context, type PageAnswer, type PageRequest, sendReport, shown } from '../pages/module.ts';

const { findMailStop, setMailStop, openMailReport } = MailsService.method;

/** The pages linked from every mail of the home, to stop such mails or report their sender. */
export function addMailPages(context: Context): void {
  const { addPage, ask } = context;
  const keyOf = (request: PageRequest) => request.param('key');

  async function set(request: PageRequest, stopped: boolean): Promise<PageAnswer> {
    const key = keyOf(request);
    await ask(setMailStop, { key, stopped }, request.visit.caller);
    return { html: mailStopPage(request.frame, { key, stopped }) };
  }

  addPage('mail_stop', '/mail/stop/:key', {
    // A mail program sends these for many people from one network.
    rate: RateClass.READ,
    async get(request) {
      const key = keyOf(request);
      const { stopped } = await ask(findMailStop, { key }, request.visit.caller);
      return { html: mailStopPage(request.frame, { key, stopped }) };
    },
    oneClick: (request) => set(request, true),
  });
  addPage('mail_again', '/mail/again/:key', { post: (request) => set(request, false) });
  addPage('mail_report', '/mail/report/:key', {
    async get(request) {
      const key = keyOf(request);
      await ask(openMailReport, { key }, request.visit.caller);
      return { html: mailReportPage(request.frame, { key }) };
    },
    async post(request) {
      const key = keyOf(request);
      const { caller } = request.visit;
      const again = await sendReport(context, request, await ask(openMailReport, { key }, caller), caller);
      return again === null
        ? { html: mailReportPage(request.frame, { key, reported: true }) }
        : shown(mailReportPage(request.frame, { key, ...again }), again);
    },
  });
}
