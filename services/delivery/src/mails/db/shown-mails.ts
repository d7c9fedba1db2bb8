import { raw, sql } from '@hearth/db';
import { destinationKinds, states, touchSql } from '../../shared/db/destinations.ts';
import { mailServer, noPerson, type ShownKind } from '../../shared/db/shown-kind.ts';

const touch = (source: string) =>
  touchSql(`select ${destinationKinds.mail}::smallint, id, due_at from ${source} order by id`);

/** @param origin the mail server's; null without one */
export const shownMails = (origin: string | null): ShownKind => ({
  sends: {
    from: 'delivery.mail_sends e',
    destination: `coalesce(e.person, '${noPerson}'::uuid)`,
    id: 'e.id',
    type: 'e.kind',
    attempts: 'e.attempts',
    lastError: 'e.last_error',
  },
  // A home that never sent a mail shows no mail server.
  destinations: {
    from: 'delivery.mail_server s',
    id: `'${mailServer}'::uuid`,
    where: `(s.failing_since is not null or s.last_delivery_at is not null)`,
    failingSince: 's.failing_since',
    lastError: 's.last_error',
    lastDeliveryAt: 's.last_delivery_at',
    ...(origin !== null && { url: `'${origin.replaceAll("'", "''")}'` }),
    waiting: `delivery.mail_sends e where e.status = ${states.waiting}`,
  },
  async resume(tx, _, { now }) {
    const rows = await tx.query<{ id: string }>(sql`
      with due as (
        update delivery.mail_sends set due_at = ${now} where due_at > ${now} returning id, due_at)
      ${raw(touch('due'))}`);
    return rows.map(({ id }) => id);
  },
  async replay(tx, { id, since, until }, { now, limit }) {
    const rows = await tx.query<{ found: number; id: string | null }>(sql`
      with chosen as (
        select id from delivery.mail_sends
        where (${id}::uuid is null or id = ${id}) and status = ${raw(states.failed)} and at >= ${since}
          and at <= ${until}
          -- Except expired codes, and mails without content.
          and (source <> 'given' or (content is not null and ends_at > ${now}))
        limit ${limit} + 1),
      counted as (select count(*)::int as found from chosen),
      replayed as (
        update delivery.mail_sends m set due_at = ${now}, tries = 0 from chosen c, counted
        where m.id = c.id and m.due_at is null and counted.found <= ${limit}
        returning m.id, m.due_at),
      touched as (${raw(touch('replayed'))})
      select found, touched.id from counted left join touched on true`);
    return { found: rows[0]?.found ?? 0, touched: rows.flatMap((row) => row.id ?? []) };
  },
});
