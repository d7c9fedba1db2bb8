import type { JsonObject } from '@bufbuild/protobuf';
import { sql, type Tx } from '@hearth/db';
import { queueMailsSql } from '../../shared/db/mails.ts';

/** A notice to a person. */
export interface NoticeRow {
  /** uuid, the same if the event is repeated. */
  id: string;
  /** uuid of the recipient. */
  person: string;
  /** uuid of the person under 18 that it is about. */
  about: string | null;
  kind: string;
  /** The kind, with the stage of the thing. */
  stage: string;
  /** uuid of the thing. */
  item: string;
  at: Date;
  title: string;
  body: string;
  /** `title` and `body` as messages with their values. */
  wording: JsonObject | null;
  link: string;
  /** A reminder, which is sent regardless of earlier notices. */
  again: boolean;
  /** Whether it goes by email. */
  mail: boolean;
}

/** A notice that is not a repetition. */
export interface Notified {
  /** The id of the notice. */
  id: string;
  /** Whether an email was queued. */
  mailed: boolean;
}

/** Stands for null, which equals nothing in SQL. */
const noPerson = '00000000-0000-0000-0000-000000000000';

/**
 * Records notices and queues their emails, in one statement. Skips people who were notified of the same
 * thing within `restHours`, and repeated events. A mail beyond `mailsADay` is not queued, but the person
 * counts as notified.
 *
 * @param notices at most one for each thing and person
 * @param mailsADay null for no limit
 */
export async function noteNotified(
  tx: Tx,
  notices: readonly NoticeRow[],
  { restHours, mailsADay }: { restHours: number; mailsADay: number | null },
): Promise<Notified[]> {
  return await tx.query<Notified>({
    name: 'delivery_note_told',
    text: noteText,
    values: [
      JSON.stringify(notices.map((notice) => ({ ...notice, key: notice.about ?? noPerson }))),
      restHours,
      mailsADay,
    ],
  });
}

const noteText = `
  with given as (
    select * from jsonb_to_recordset($1::jsonb) as given (
      id uuid, person uuid, about uuid, key uuid, item uuid, kind text, stage text, at timestamptz, title text, body text,
      wording jsonb, link text, mail boolean, again boolean)
  ),
  told as (
    insert into delivery.notices as n (person, about, item, kind, at)
    select person, key, item, stage, at from given order by person, key, item, stage
    on conflict (person, about, item, kind) do update set at = excluded.at
      where n.at <= excluded.at - make_interval(hours => $2)
        -- Later than the last notice, so that a redelivered reminder is sent once.
        or n.at < excluded.at and (n.person, n.about, n.item, n.kind) in (select person, key, item, stage from given where again)
    returning person, about, item, kind
  ),
  placed as (
    select g.*, (g.at at time zone 'UTC')::date as day from given g
    join told t on t.person = g.person and t.about = g.key and t.item = g.item and t.kind = g.stage
  ),
  counted as (
    insert into delivery.mail_days as d (person, day, mails)
    select person, day, count(*) from placed where mail group by person, day order by person, day
    on conflict (person, day) do update set mails = d.mails + excluded.mails
    returning person, day, mails
  ),
  ${queueMailsSql(
    'id, source, person, about, kind, title, body, wording, link, at, due_at',
    `
    select p.id, 'notice', p.person, p.about, p.kind, p.title, p.body, p.wording, p.link, p.at, p.at
    from (
      select *, row_number() over (partition by person, day order by at, id) as place,
        count(*) over (partition by person, day) as those
      from placed where mail) p
    join counted c on c.person = p.person and c.day = p.day
    where $3::int is null or c.mails - p.those + p.place <= $3`,
  )}
  select p.id, m.id is not null as mailed from placed p left join queued m on m.id = p.id`;

/** Deletes notices older than `before`. */
export async function purgeNotices(tx: Tx, before: Date): Promise<void> {
  await tx.execute(sql`delete from delivery.notices where at < ${before}`);
  await tx.execute(sql`
    delete from delivery.mail_days where day < (${before}::timestamptz at time zone 'UTC')::date`);
}
