import { type Language, t } from '@hearth/i18n';
import type { MailSource } from '../../shared/db/mails.ts';
import type { Context } from '../context.ts';
import { findStopped } from '../db/mail-stops.ts';
import type { MailRow } from '../db/mails.ts';
import { addressId, reportKey, stopKey } from '../domain/mail-keys.ts';
import type { Content } from './compose-mails.ts';

/** Codes that a person asked for, and warnings about an account, are sent even to an unsubscribed address. */
const always: readonly MailSource[] = ['given', 'account_mail'];

/** Adds the unsubscribe and report links to mails; mails to unsubscribed addresses become `refused`. */
export async function addWaysOut(
  {
    config: { home, siteUrl },
    database,
    languages,
    sealer,
  }: Pick<Context, 'config' | 'database' | 'languages' | 'sealer'>,
  rows: readonly MailRow[],
  contents: Map<string, Content>,
): Promise<Map<string, Content>> {
  const unasked = rows.flatMap(({ id, source }) => {
    const mail = contents.get(id);
    if (mail === undefined || typeof mail === 'string' || always.includes(source)) return [];
    return { id, mail, address: addressId(sealer, mail.to) };
  });
  if (unasked.length === 0) return contents;
  const stopped = await findStopped(
    database.db,
    unasked.map(({ address }) => address),
  );
  for (const { id, mail, address } of unasked) {
    if (stopped.has(address.toString('hex'))) contents.set(id, 'refused');
    else {
      const stop = `${siteUrl}/mail/stop/${stopKey(sealer, address)}`;
      const report =
        mail.reportable === ''
          ? null
          : `${siteUrl}/mail/report/${reportKey(sealer, address, mail.reportable)}`;
      contents.set(id, {
        ...mail,
        stop,
        text: `${mail.text.trimEnd()}\n\n${footer(home, stop, report, languages.of(mail))}`,
      });
    }
  }
  return contents;
}

function footer(home: string, stop: string, report: string | null, language: Language): string {
  const lines = [
    ...(report === null ? [] : [t('mails.report', { home }), report]),
    t('mails.unsubscribe', { home }),
    stop,
  ];
  return ['-- ', ...lines.map((line) => language.words(line)), ''].join('\n');
}
