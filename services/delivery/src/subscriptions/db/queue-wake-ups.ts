import type { Tx } from '@hearth/db';
import { touchSql } from '../../shared/db/destinations.ts';
import type { RecordedWakeUp } from '../../shared/domain/streams.ts';

/** Queues wake-ups for the subscriptions that match, and touches their destinations. Returns the destinations. */
export async function queueWakeUps(tx: Tx, now: Date, wakeUps: readonly RecordedWakeUp[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>({
    name: 'delivery_queue_wake_ups',
    text: `
      with given as (
        select * from jsonb_to_recordset($1::jsonb) as given (
          ai uuid, number bigint, "eventId" uuid, name text, at timestamptz, groups uuid[], data jsonb)),
      queued as (
        insert into delivery.subscription_sends (subscription, kind, number, event_id, at, data, due_at)
        select s.id, 1, given.number, given."eventId", given.at, given.data, $2
        from given join delivery.subscriptions s on s.ai = given.ai and s.name = given.name
        where s.ended_at is null and s.suspended_at is null and s.refresh_before > $2
          and (s.group_id is null or s.group_id = any(given.groups))
        on conflict do nothing
        returning subscription)
      ${touchSql('select 2::smallint, subscription, $2::timestamptz from queued group by subscription order by subscription')}`,
    values: [JSON.stringify(wakeUps), now],
  });
  return rows.map(({ id }) => id);
}

/**
 * Selects subscriptions of AIs, or of the AIs of people (uuids): all of them, or those made through an access
 * that starts with `through` and is not in `besides`.
 */
export interface EndedSubscriptions {
  ais?: readonly string[];
  people?: readonly string[];
  through?: string;
  besides?: readonly string[];
}

/** Ends subscriptions and queues a `terminated` for each. Returns their destinations. */
export async function endSubscriptionsOf(
  tx: Tx,
  now: Date,
  { ais = [], people = [], through = '', besides = [] }: EndedSubscriptions,
  error: object,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>({
    name: 'delivery_end_subscriptions_of',
    text: `
      with ended as (
        update delivery.subscriptions set ended_at = $2, suspended_at = null
        where (ai = any($1::uuid[]) or ai in (select ai from delivery.streams where person = any($4::uuid[])))
          and ($5 = '' or starts_with(through, $5) and through <> all($6::text[]))
          and ended_at is null and refresh_before > $2
        returning id),
      dropped as (
        update delivery.subscription_sends s set status = 3, due_at = null, settled_at = $2
        from ended where s.subscription = ended.id and s.status = 1 and s.kind <> 3),
      told as (
        insert into delivery.subscription_sends as s (subscription, kind, number, event_id, at, data, due_at)
        select id, 3, 0, md5(id::text || $2::text)::uuid, $2, $3::jsonb, $2 from ended
        on conflict (subscription, kind, number) do update
          set event_id = excluded.event_id, at = excluded.at, data = excluded.data, due_at = excluded.due_at,
            status = 1, attempts = 0, last_error = null, settled_at = null)
      ${touchSql('select 2::smallint, id, $2::timestamptz from ended order by id')}`,
    values: [ais, now, JSON.stringify(error), people, through, besides],
  });
  return rows.map(({ id }) => id);
}
