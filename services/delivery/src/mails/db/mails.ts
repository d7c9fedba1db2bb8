import type { JsonObject } from '@bufbuild/protobuf';
import { type Db, named, sql, type Tx } from '@hearth/db';
import { type MailSource, queueMailsSql } from '../../shared/db/mails.ts';
import type { DueQuestion, Lease, Queued, Settlement } from '../../shared/domain/outbound.ts';

/** A queued mail. */
export interface MailRow {
  id: string;
  source: MailSource;
  kind: string;
  /** Notices only: uuids of the recipient, and of the person under 18 that it is about. */
  person: string | null;
  about: string | null;
  title: string | null;
  body: string | null;
  wording: JsonObject | null;
  link: string | null;
  /** uuid of the app, the approval or the invite. */
  ref: string | null;
  part: number;
  content: Buffer | null;
  endsAt: Date | null;
  /** Attempts since it was queued or last replayed. */
  tries: number;
}

/** Returns the mails due at `now`; each mail is its own destination. */
export function findDueMails(db: Db, now: Date, questions: readonly DueQuestion[]): Promise<MailRow[]> {
  return db.query<MailRow>({
    name: 'delivery_due_mails',
    text: `
      select id, source, kind, person, about, title, body, wording, link, ref, part, content, ends_at as "endsAt", tries
      from delivery.mail_sends where id = any($1::uuid[]) and due_at <= $2`,
    values: [
      questions.flatMap(({ destination, inHand }) => (inHand.includes(destination) ? [] : destination)),
      now,
    ],
  });
}

/** When the mail `d.id` is due. */
export const nextDueSql = 'select m.due_at from delivery.mail_sends m where m.id = d.id';

/** An email composed by another service, or passed in with sealed content. */
export type NewMail = Pick<MailRow, 'id' | 'source' | 'kind' | 'ref' | 'part' | 'content' | 'endsAt'> & {
  at: Date;
};

/** Queues mails that are new, due at `now`. */
export async function queueMails(
  tx: Tx,
  mails: readonly NewMail[],
  now: Date,
  lease: Lease | null,
): Promise<Queued[]> {
  const rows = await tx.query<{ id: string; taken: boolean }>({
    name: 'delivery_queue_mails',
    text: `
      with ${queueMailsSql(
        'id, source, kind, ref, part, content, at, due_at, ends_at',
        `
        select id, source, kind, ref, part, decode(content, 'base64'), at, $2, "endsAt"
        from jsonb_to_recordset($1::jsonb) as given (
          id uuid, source text, kind text, ref uuid, part int, content text, at timestamptz, "endsAt" timestamptz)`,
        { id: '$3', ms: '$4' },
      )}
      select id, taken from touched`,
    values: [
      JSON.stringify(mails.map((mail) => ({ ...mail, content: mail.content?.toString('base64') }))),
      now,
      lease?.id,
      lease?.ms,
    ],
  });
  const given = new Map(mails.map((mail) => [mail.id, mail]));
  return rows.map(({ id, taken }) => ({
    destination: id,
    taken,
    sends: [{ ...given.get(id)!, ...ofNotices, tries: 0 } satisfies MailRow],
  }));
}

const ofNotices = { person: null, about: null, title: null, body: null, wording: null, link: null } as const;

/** Returns the state of a mail; no longer `waiting` once an attempt ended it or it was given up. */
export function findOutcome(db: Db, id: string): Promise<{ waiting: boolean; sent: boolean } | null> {
  return db.maybeOne<{ waiting: boolean; sent: boolean }>(named('delivery_find_mail_outcome')`
    select due_at is not null as waiting, sent_at is not null as sent from delivery.mail_sends
      where id = ${id}`);
}

/** Ends mails that may no longer be sent, or that no one waits for. */
export async function refuseMails(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.execute(named('delivery_refuse_mails')`
    update delivery.mail_sends set due_at = null, refused = true, content = null
    where id = any(${ids}::uuid[]) and due_at is not null`);
}

/** The outcome of an attempt. */
export interface MailOutcome {
  id: string;
  at: Date;
  error: string | null;
  /** Time of the next attempt; null once it was sent or given up. */
  dueAt: Date | null;
}

/** The mail server's health after a batch of attempts; null if no attempt reached it. */
export type ServerHealth = Pick<MailOutcome, 'at' | 'error'> | null;

/** All mails write the mail server's row, so a success updates it at most this often. */
const healthSeconds = 10;

/** Writes the outcomes of attempts, and the health of the mail server. */
export const settleMails = (outcomes: readonly MailOutcome[], health: ServerHealth): Settlement => ({
  sql: settleText,
  values: [JSON.stringify(outcomes), health?.at, health?.error],
  nextDueSql: 'select s.due_at from settled s where s.id = d.id',
});

const settleText = `
  server as (
    update delivery.mail_server
    set failing_since = case when $10::text is null then null else coalesce(failing_since, $9) end,
      last_error = $10, last_delivery_at = case when $10 is null then $9 else last_delivery_at end
    where $9::timestamptz is not null and (last_error is distinct from $10
      or ($10 is null and coalesce(last_delivery_at, '-infinity') < $9 - interval '${healthSeconds} seconds'))),
  settled as (
    update delivery.mail_sends m
    set attempts = m.attempts + 1, tries = m.tries + 1, due_at = o."dueAt", last_error = o.error,
      sent_at = case when o.error is null then o.at else m.sent_at end,
      content = case when o.error is null then null else m.content end
    from jsonb_to_recordset($8::jsonb) as o (id uuid, at timestamptz, error text, "dueAt" timestamptz)
    where m.id = o.id and m.due_at is not null
    returning m.id, m.due_at)`;

/** Deletes mails older than `before` that are not waiting, and the content of expired mails. */
export async function purgeMails(tx: Tx, before: Date, now: Date): Promise<void> {
  await tx.execute(sql`delete from delivery.mail_sends where at < ${before} and due_at is null`);
  await tx.execute(sql`
    update delivery.mail_sends set content = null where ends_at <= ${now} and content is not null
      and due_at is null`);
}

/**
 * Creates the missing destinations of mails that a previous version queued, and makes them due. Poke the
 * engine afterwards.
 */
export async function adoptMails(tx: Tx, before: Date): Promise<void> {
  await tx.execute(sql`
    insert into delivery.destinations (kind, id, due_at)
    select 3, id, due_at from delivery.mail_sends m
    where m.due_at < ${before} and not exists (select 1 from delivery.destinations d where d.kind = 3
      and d.id = m.id)
    order by id
    on conflict do nothing`);
}
