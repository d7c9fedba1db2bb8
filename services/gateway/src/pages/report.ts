import { enumNames } from '@hearth/enum-names';
import { t } from '@hearth/i18n';
import { ReportReason, ReportReasonSchema, RequestsService } from '@hearth/proto/approvals/v1/requests';
import type { Caller } from '@hearth/rpc';
import { oneOf, reportChoices, type Words } from '@hearth/web';
import { fieldErrors } from './failures.ts';
import type { Context, FormRequest } from './page.ts';

const { report, reportMail } = RequestsService.method;

/** The form of a report as it was sent, with what is wrong with it. */
export interface ReportAgain {
  values: { reason: string; text: string };
  errors: { reason?: Words; text?: Words };
}

/**
 * Hands a report to the operator, by a visitor of whom the home knows nothing. Null once it is in.
 *
 * @param subject the thing that it is about, and a uuid: repeated with it, the report is made once
 */
export async function sendReport(
  { ask, read }: Pick<Context, 'ask' | 'read'>,
  { field, given }: FormRequest,
  { id, about }: { id: string; about: string },
  caller: Caller,
): Promise<ReportAgain | null> {
  const values = { reason: field('reason'), text: field('text') };
  const reason = oneOf(reportChoices, values.reason);
  if (reason === undefined) return { values, errors: { reason: t('report.reason-missing') } };
  try {
    // The rules of a report are those of the operation.
    const { text = '' } = read(report, { about, reason, ...given('text') });
    const named = enumNames(ReportReasonSchema).valueOf(reason) ?? ReportReason.OTHER;
    await ask(reportMail, { id, about, reason: named, text }, caller);
  } catch (error) {
    const errors = fieldErrors(error, { text: 'text' });
    if (errors === undefined) throw error;
    return { values, errors };
  }
  return null;
}
