import type { Db, Tx } from '@hearth/db';
import { states } from '../../shared/db/destinations.ts';
import { queueMailsSql } from '../../shared/db/mails.ts';
import type { DueQuestion } from '../../shared/domain/outbound.ts';
import { untilConfirmed } from './app-events.ts';

/** An event on its way to its app. */
export interface AppSendRow {
  id: string;
  /** uuid of the app. */
  destination: string;
  orderKey: string;
  /** Since it was stored, or asked for once more. */
  attempts: number;
  at: Date;
  type: string;
  body: string;
  /** On its way once more because the app asked for it. */
  replay: boolean;
  /** Goes on until the app confirms it. */
  unconfirmed: boolean;
}

/** The sends due at `now` for each of many apps, replays last. Nothing for an app whose address is disabled. */
export function findDue(db: Db, now: Date, questions: readonly DueQuestion[]): Promise<AppSendRow[]> {
  return db.query<AppSendRow>({
    name: 'delivery_due_app_events',
    text: `
      select due.id, q.destination, due.order_key as "orderKey", due.tries as attempts, due.at, due.type, due.body,
        due.replay, due.unconfirmed
      from jsonb_to_recordset($1::jsonb)
          as q (destination uuid, "limit" int, "inHand" uuid[], "busyKeys" uuid[], n int)
        join delivery.app_streams s on s.app = q.destination and s.disabled_at is null
        cross join lateral (
          (${dueText('false')}) union all (${dueText('true')}) order by replay, due_at, number limit q."limit") as due
      order by q.n, due.replay, due.due_at, due.number`,
    values: [JSON.stringify(questions.map((question, n) => ({ ...question, n }))), now],
  });
}

const dueText = (replay: string) => `
  select e.id, e.number, e.order_key, e.tries, e.at, e.type, e.body, e.replay, e.unconfirmed, e.due_at
  from delivery.app_events e
  where e.app = q.destination and e.status = ${states.waiting} and e.replay = ${replay} and e.due_at <= $2
    and e.id <> all (q."inHand") and e.order_key <> all (q."busyKeys")
  order by e.due_at, e.number limit q."limit"`;

/** When the next event of the app `d.id` is due. */
export const nextDueSql = `
  select least(
    (select min(e.due_at) from delivery.app_events e
     where e.app = d.id and e.status = ${states.waiting} and e.replay = false),
    (select min(e.due_at) from delivery.app_events e
     where e.app = d.id and e.status = ${states.waiting} and e.replay = true))
  from delivery.app_streams s where s.app = d.id and s.disabled_at is null`;

/** An attempt, and its event after it. */
export interface SettledSend {
  app: string;
  id: string;
  /** The event's. */
  at: Date;
  status: number;
  /** When it is due while it waits. */
  dueAt: Date | null;
  attempt: { at: Date; status: number | null; ms: number; error: string | null };
}

/** The health of an app's address by its attempts, those of replays left out. */
export interface Health {
  app: string;
  /** When the first attempt failed since the last success of these. */
  failedAt: Date | null;
  /** One of these was a success. */
  taken: boolean;
  /** It said that it is gone. */
  gone: boolean;
  /** Why the last of these failed; null: it was a success. */
  lastError: string | null;
  /** When the last success of these ended; null: there was none. */
  takenAt: Date | null;
  /** uuid of the mail to the app's contact, if the address is disabled by this. */
  mail: string;
}

/** The newest attempts of an event are kept. */
const keptAttempts = 50;

/**
 * Writes outcomes of attempts, and the health of their addresses, all at once. An address that failed for longer than
 * `failsFrom`, or that is gone, is disabled: what waits there has failed by that, and a mail to the app's contact is due.
 * Answers the apps whose address was disabled, with that mail.
 */
export async function settleAppSends(
  tx: Tx,
  { sends, health, now, failsFrom }: SettledSends,
): Promise<DisabledApp[]> {
  return await tx.query<DisabledApp>({
    name: 'delivery_settle_app_sends',
    text: settleText,
    values: [JSON.stringify(sends), JSON.stringify(health), now, failsFrom],
  });
}

export interface DisabledApp {
  app: string;
  why: string;
  /** uuid of the mail that says so. */
  mail: string;
}

export interface SettledSends {
  sends: readonly SettledSend[];
  health: readonly Health[];
  now: Date;
  /** An address that has failed since before this moment, and fails, is disabled. */
  failsFrom: Date;
}

const settleText = `
  with given as (
    select * from jsonb_to_recordset($1::jsonb)
      as g (app uuid, id uuid, at timestamptz, status smallint, "dueAt" timestamptz, attempt jsonb)),
  learned as (
    select * from jsonb_to_recordset($2::jsonb) as h (
      app uuid, "failedAt" timestamptz, taken boolean, gone boolean, "lastError" text, "takenAt" timestamptz, mail uuid)),
  before as (
    select s.app, s.disabled_at, h."lastError" as last_error, h."takenAt" as taken_at, h.mail,
      case when h."failedAt" is null then null when h.taken then h."failedAt"
        else coalesce(s.failing_since, h."failedAt") end as failing_since,
      case when h.gone then 'gone'
        when not h.taken and s.failing_since <= $4 and h."failedAt" is not null then 'failing' end as why
    from delivery.app_streams s join learned h on h.app = s.app
    order by s.app for update of s),
  disabled as (
    select app, why, mail from before where why is not null and disabled_at is null),
  streams as (
    update delivery.app_streams s
    set failing_since = b.failing_since, last_error = b.last_error,
      last_delivery_at = coalesce(b.taken_at, s.last_delivery_at),
      disabled_at = case when d.app is null then s.disabled_at else $3 end,
      disabled_why = case when d.app is null then s.disabled_why else d.why end
    from before b left join disabled d on d.app = b.app
    where s.app = b.app),
  written as (
    update delivery.app_events e
    set status = case
          when g.status = ${states.waiting} and d.app is not null and not e.unconfirmed then ${states.failed}
          else g.status end,
      due_at = case
          when g.status = ${states.waiting} and d.app is not null and not e.unconfirmed then null else g."dueAt" end,
      tries = e.tries + 1, attempt_count = e.attempt_count + 1,
      replay = e.replay and g.status = ${states.waiting},
      attempts = case
        when jsonb_array_length(e.attempts) >= ${keptAttempts} then e.attempts - 0 else e.attempts end || g.attempt
    from given g left join disabled d on d.app = g.app
    -- An event that was confirmed, or given up with its address, meanwhile stays so.
    where e.app = g.app and e.id = g.id and e.at = g.at and e.status = ${states.waiting}),
  ${queueMailsSql(
    'id, source, ref, kind, at, due_at',
    `select mail, 'app_disabled', app, 'webhook_disabled', $3, $3 from disabled`,
  )},
  given_up as (
    update delivery.app_events e set status = ${states.failed}, due_at = null, replay = false
    from disabled d
    where e.app = d.app and e.status = ${states.waiting} and e.type <> '${untilConfirmed}'
      and not exists (select 1 from given g where g.app = e.app and g.id = e.id))
  select app, why, mail from disabled`;
