import { type Db, fragment, named, raw } from '@hearth/db';
import { states } from '../../shared/db/destinations.ts';
import type { NumberedQuestion, ShownKind, ShownSend } from '../../shared/db/shown-kind.ts';

const type = "case e.kind when 1 then sub.name when 2 then 'gap' else 'terminated' end";

export const shownSubscriptions: Omit<ShownKind, 'resume'> = {
  sends: {
    from: 'delivery.subscription_sends e join delivery.subscriptions sub on sub.id = e.subscription',
    destination: 'e.subscription',
    id: 'e.event_id',
    type,
    attempts: 'e.attempts',
    lastError: 'e.last_error',
  },
  destinations: {
    from: 'delivery.subscriptions s',
    id: 's.id',
    where: 's.ended_at is null and s.refresh_before > $1',
    failingSince: 's.failed_since',
    stoppedAt: 's.suspended_at',
    stopped: 'suspended',
    lastError: 's.last_error',
    lastDeliveryAt: 's.last_delivery_at',
    ai: 's.ai',
    event: 's.name',
    url: 's.url',
    waiting: `delivery.subscription_sends e where e.subscription = d.id and e.status = ${states.waiting}`,
  },
  list: listDeliveries,
};

/** The most sends of a subscription that are read for one page. */
const mostLooked = fragment`5000`;

/**
 * Lists the deliveries of a subscription, sent and waiting, newest first; messages about the subscription
 * itself come before its wake-ups.
 */
async function listDeliveries(
  db: Db,
  { destination, status, since, before, limit }: NumberedQuestion,
): Promise<{ rows: ShownSend[]; next: number | null }> {
  type Looked = ShownSend & { number: number; fits: boolean };
  const rows = await db.query<Looked>(named('delivery_list_subscription_deliveries')`
    with looked as (
      (select e.* from delivery.subscription_sends e
       where e.subscription = ${destination} and e.kind in (2, 3) and ${before}::bigint is null)
      union all
      (select e.* from delivery.subscription_sends e
       where e.subscription = ${destination} and e.kind = 1 and (${before}::bigint is null
         or e.number < ${before})
       order by e.number desc limit ${mostLooked})),
    judged as (
      select 'subscription' as kind, e.subscription as destination, e.event_id as id, e.at,
        ${raw(type)} as type,
        e.status, e.attempts::int as "attemptCount", e.last_error as "lastError", e.due_at as "dueAt", e.kind = 1 as counts, e.number,
        (${status}::smallint is null or e.status = ${status}) and (${since}::timestamptz is null
          or e.at >= ${since}) as fits
      from looked e, (select name from delivery.subscriptions where id = ${destination}) as sub)
    (select * from judged where fits order by counts, number desc limit ${limit} + 3)
    union all
    -- A page that ends early continues after the last row read.
    (select * from judged where not fits and (select count(*) from judged where counts) = ${mostLooked}
     order by counts desc, number limit 1)`);
  const fitting = rows.filter(({ fits }) => fits);
  const page = fitting.slice(0, limit);
  // If the page has no wake-up, the next page starts with the newest.
  const end = page.at(-1)?.number || Number.MAX_SAFE_INTEGER;
  if (fitting.length > limit) return { rows: page, next: end };
  const last = rows.find(({ fits }) => !fits)?.number;
  return { rows: page, next: last === undefined ? null : Math.min(last, end) };
}
