import type { Tx } from '@hearth/db';

/** Kinds of destination, as the table has them. */
export const destinationKinds = { app: 1, subscription: 2, mail: 3, callback: 4 } as const;

export type DestinationKind = keyof typeof destinationKinds;

/** How a send stands, as the tables have it; hearth.delivery.v1.DeliveryState. */
export const states = { waiting: 1, delivered: 2, failed: 3, notSent: 4 } as const;

/** SQL of the lease under which new destinations are taken: its uuid, null to take none, and its milliseconds. */
export interface LeaseSql {
  id: string;
  ms: string;
}

/**
 * SQL that makes destinations due: an insert to be put into a larger statement. It returns (id, taken).
 *
 * @param source a select of (kind smallint, id uuid, due_at timestamptz), with each destination once, ordered by id
 */
export function touchSql(source: string, { id, ms }: LeaseSql = { id: 'null', ms: 'null' }): string {
  return `
    insert into delivery.destinations as d (kind, id, due_at, lease, leased_until)
    select *, ${id}::uuid, clock_timestamp() + ${ms}::int * interval '1 millisecond' from (${source}) as given
    on conflict (kind, id) do update
      set due_at = least(d.due_at, excluded.due_at), version = d.version + 1
    -- A new one has the version 0.
    returning id, ${id}::uuid is not null and version = 0 as taken`;
}

/** Makes destinations due at `dueAt`, in the transaction that gives them something to send; poke the engine after its commit. */
export async function touchDestinations(
  tx: Tx,
  kind: (typeof destinationKinds)[DestinationKind],
  destinations: readonly string[],
  dueAt: Date,
): Promise<void> {
  await tx.execute({
    name: 'delivery_touch_destinations',
    text: touchSql(
      `select $1::smallint, id, $3::timestamptz from unnest($2::uuid[]) as id group by id order by id`,
    ),
    values: [kind, destinations, dueAt],
  });
}
