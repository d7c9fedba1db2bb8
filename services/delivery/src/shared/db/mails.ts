import { destinationKinds, type LeaseSql, touchSql } from './destinations.ts';

/** Origin of a mail: other services, notices, disabled addresses of apps, or SendMail. */
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
 * Builds SQL that queues mails and makes them due: two more CTEs of a `with`. `queued` holds the ids of new
 * mails: poke the engine with them after the commit. `touched` has (id, taken).
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
