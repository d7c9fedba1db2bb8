import { enumNames } from '@hearth/enum-names';
import { t } from '@hearth/i18n';
import { ReportReason, ReportReasonSchema, RequestsService } from '@hearth/proto/approvals/v1/requests';
import type { Caller } from '@hearth/rpc';
import { oneOf, reportChoices, type Words } from '@hearth/web';
import { fieldErrors } from './failures.ts';
import type { Context, FormRequest } from './page.ts';

const { report, reportMail } = RequestsService.method;

/** The values of a refused report, and their errors. */
export interface ReportAgain {
  values: { reason: string; text: string };
  errors: { reason?: Words; text?: Words };
}

/**
 * Sends a report by a visitor without an account to the operator. Null once it is stored.
 *
 * @param subject what it is about, and a uuid that makes repeating it idempotent
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
    // The operation's rules for reports apply here too.
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
