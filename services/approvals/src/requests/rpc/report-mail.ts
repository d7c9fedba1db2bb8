import { nowDate } from '@hearth/clock';
import { badField } from '@hearth/errors';
import type { RequestsService } from '@hearth/proto/approvals/v1/requests';
import { anonymous, type UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { insertReport } from '../db/reports.ts';
import { reportedEvent } from '../domain/events.ts';
import { newReport, reasons } from '../domain/reports.ts';

/** Called by the page of a mail, which has decrypted the key: the home vouches for `about`. */
export const reportMail =
  ({ clock, commit }: Context): UnaryHandler<typeof RequestsService.method.reportMail> =>
  async ({ id, about, reason, text }) => {
    const name = reasons.nameOf(reason);
    if (name === '') throw badField('reason', 'say what for, such as spam or child_safety');
    const row = newReport({ id, at: nowDate(clock) }, { about, reason: name, text }, anonymous);
    await commit(async (tx) => {
      if (await insertReport(tx, row)) tx.announce(reportedEvent(row));
    });
    return {};
  };
