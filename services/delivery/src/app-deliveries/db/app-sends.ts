import type { Db, Tx } from '@hearth/db';
import { states } from '../../shared/db/destinations.ts';
import { queueMailsSql } from '../../shared/db/mails.ts';
import type { DueQuestion } from '../../shared/domain/outbound.ts';
import { untilConfirmed } from './app-events.ts';

/** An event to be sent to its app. */
export interface AppSendRow {
  id: string;
  /** uuid of the app. */
  destination: string;
  orderKey: string;
  /** Attempts since it was stored or last replayed. */
  attempts: number;
  at: Date;
  type: string;
  body: string;
  /** Whether it is sent again because the app asked for it. */
  replay: boolean;
  /** Whether it is sent again until the app confirms it. */
  unconfirmed: boolean;
}

/** Returns the sends due at `now` for each of many apps, replays last; none for an app whose address is disabled. */
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

/** When the next event for the app `d.id` is due. */
export const nextDueSql = `
  select least(
    (select min(e.due_at) from delivery.app_events e
     where e.app = d.id and e.status = ${states.waiting} and e.replay = false),
    (select min(e.due_at) from delivery.app_events e
     where e.app = d.id and e.status = ${states.waiting} and e.replay = true))
  from delivery.app_streams s where s.app = d.id and s.disabled_at is null`;

/** The state of an event after an attempt. */
export interface SettledSend {
  app: string;
  id: string;
  /** Time of the event, not of the attempt. */
  at: Date;
  status: number;
  /** Time of the next attempt; null once it ended. */
  dueAt: Date | null;
  attempt: { at: Date; status: number | null; ms: number; error: string | null };
}

/** The health of an app's address after a batch of attempts, replays left out. */
export interface Health {
  app: string;
  /** Time of the first failure since the batch's last success. */
  failedAt: Date | null;
  /** Whether the batch had a success. */
  taken: boolean;
  /** Whether the address answered 410 Gone. */
  gone: boolean;
  /** Why the last attempt failed; null if it succeeded. */
  lastError: string | null;
  /** Time of the batch's last success; null if there was none. */
  takenAt: Date | null;
  /** uuid for the mail to the app's contact, used if this disables the address. */
  mail: string;
}

/** Only the newest attempts of an event are kept. */
const keptAttempts = 50;

/**
 * Writes the outcomes of attempts and the health of their addresses in one statement. Disables an address
 * that was already failing at `failsFrom`, or is gone: its waiting sends fail, and a mail to the app's
 * contact is queued. Returns the apps whose address was disabled.
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
  /** uuid of the mail to the app's contact. */
  mail: string;
}

export interface SettledSends {
  sends: readonly SettledSend[];
  health: readonly Health[];
  now: Date;
  /** An address that still fails, and has since before this time, is disabled. */
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
    -- An event confirmed, or given up with its address, in the meantime stays so.
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
