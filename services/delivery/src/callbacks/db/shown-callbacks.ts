import { raw, sql } from '@hearth/db';
import { destinationKinds, states, touchSql } from '../../shared/db/destinations.ts';
import type { ShownKind } from '../../shared/db/shown-kind.ts';

const touch = (source: string) =>
  `${touchSql(`
  select ${destinationKinds.callback}::smallint, asker, min(due_at) from ${source} group by asker order by asker`)}`;

/** A column of the asker's next due callback that has failed. */
const newest = (column: string) => `(
  select c.${column} from delivery.callbacks c
  where c.asker = s.id and c.status = ${states.waiting} and c.last_error is not null order by c.due_at limit 1)`;

/** Askers are destinations while callbacks wait for them. */
export const shownCallbacks: ShownKind = {
  sends: {
    from: 'delivery.callbacks e',
    destination: 'e.asker',
    id: 'e.id',
    type: `'approval.settled'`,
    attempts: 'e.attempts',
    lastError: 'e.last_error',
  },
  destinations: {
    from: 'delivery.destinations s',
    id: 's.id',
    where: `s.kind = ${destinationKinds.callback}`,
    failingSince: 's.failing_since',
    lastError: newest('last_error'),
    url: newest('origin'),
    waiting: `delivery.callbacks e where e.asker = d.id and e.status = ${states.waiting}`,
  },
  async resume(tx, asker, { now }) {
    const rows = await tx.query<{ id: string }>(sql`
      with due as (
        update delivery.callbacks set due_at = ${now}
        where asker = ${asker} and status = ${raw(states.waiting)} and due_at > ${now}
          returning asker, due_at)
      ${raw(touch('due'))}`);
    return rows.map(({ id }) => id);
  },
  async replay(tx, { destination, id, since, until }, { now, limit }) {
    const rows = await tx.query<{ found: number; id: string | null }>(sql`
      with chosen as (
        select id from delivery.callbacks
        where asker = ${destination} and (${id}::uuid is null or id = ${id})
          and status = ${raw(states.failed)} and at >= ${since} and at <= ${until}
        limit ${limit} + 1),
      counted as (select count(*)::int as found from chosen),
      replayed as (
        update delivery.callbacks c set status = ${raw(states.waiting)}, due_at = ${now}, attempts = 0,
          settled_at = null
        from chosen, counted
        where c.id = chosen.id and c.status = ${raw(states.failed)} and counted.found <= ${limit}
        returning c.asker, c.due_at),
      touched as (${raw(touch('replayed'))})
      select found, touched.id from counted left join touched on true`);
    return { found: rows[0]?.found ?? 0, touched: rows.flatMap((row) => row.id ?? []) };
  },
};
