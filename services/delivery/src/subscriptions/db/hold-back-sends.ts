import { named, type Tx } from '@hearth/db';

/**
 * Drops the waiting sends to subscriptions of AIs that may no longer read; the streams of these AIs are
 * locked. The subscriptions stay: once the AI may read again they go on, and report the gap.
 */
export async function holdBackSends(tx: Tx, now: Date, ais: readonly string[]): Promise<void> {
  await tx.execute(named('delivery_hold_back_sends')`
    with held as (
      select id from delivery.subscriptions where ai = any(${ais}::uuid[]) and ended_at is null
        order by id for update),
    dropped as (
      update delivery.subscription_sends s set status = 3, due_at = null, settled_at = ${now}
      from held where s.subscription = held.id and s.status = 1 and s.kind = 1
      returning s.subscription, s.number)
    update delivery.subscriptions s set gap_from = least(s.gap_from, missed.gap_from)
    from (select subscription, min(number) - 1 as gap_from from dropped group by subscription) as missed
    where s.id = missed.subscription`);
}
