import { destinationKinds, type LeaseSql, touchSql } from './destinations.ts';

/** The origin of a mail: other services, people's notices, addresses of apps that were disabled, and SendMail. */
export type MailSource =
  | 'notice'
  | 'app_disabled'
  | 'ask_mail'
  | 'ask_reminder'
  | 'invite_mail'
  | 'account_mail'
  | 'meeting_mail'
  | 'given';

/**
 * SQL that queues mails and makes them due: two further statements of a `with`. `queued` has the ids of those that were not
 * there before: poke the engine with them after the commit. `touched` has (id, taken).
 *
 * @param columns of delivery.mail_sends, at least id, source, kind, at and due_at
 * @param source a select of these columns
 */
export const queueMailsSql = (columns: string, source: string, lease?: LeaseSql) => `
  queued as (
    insert into delivery.mail_sends (${columns}) ${source}
    on conflict do nothing
    returning id, due_at),
  touched as (
    ${touchSql(`select ${destinationKinds.mail}::smallint, id, due_at from queued order by id`, lease)})`;
