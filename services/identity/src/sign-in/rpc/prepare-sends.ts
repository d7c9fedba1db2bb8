import { isUuid } from '@hearth/ids';
import type { SendSourceService } from '@hearth/proto/delivery/v1/send_sources';
import type { UnaryHandler } from '@hearth/rpc';
import { findAccountMails } from '../../shared/db/account-mails.ts';
import type { Context } from '../context.ts';
import { accountMail } from '../domain/account-mail.ts';

/** The contents of account mails about to be sent. */
export const prepareSends =
  ({ config, database, languages }: Context): UnaryHandler<typeof SendSourceService.method.prepareSends> =>
  async ({ sends }) => {
    const ids = sends.flatMap(({ kind, id }) => (kind === 'account_mail' && isUuid(id) ? [id] : []));
    const found = new Map((await findAccountMails(database.db, ids)).map((mail) => [mail.id, mail]));
    return {
      sends: sends.map(({ id }) => {
        const mail = found.get(id);
        if (mail === undefined) return {};
        const language = languages.of(mail);
        const copy = accountMail({ ...config, ...mail }, language);
        const value = { to: mail.email, ...copy, language: language.tag };
        return { content: { case: 'mail' as const, value } };
      }),
    };
  };
