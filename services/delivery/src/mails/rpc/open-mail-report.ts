import { notFound } from '@hearth/errors';
import type { MailsService } from '@hearth/proto/delivery/v1/mails';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { readReportKey } from '../domain/mail-keys.ts';

export const openMailReport =
  ({ sealer }: Context): UnaryHandler<typeof MailsService.method.openMailReport> =>
  async ({ key }) => {
    const report = readReportKey(sealer, key);
    if (report === null) throw notFound();
    return report;
  };
