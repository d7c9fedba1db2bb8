import type { Tx } from '@hearth/db';
import { type LeaseSql, touchSql as touch, touchDestinations as touchAll } from '@hearth/outbound';

/** Kinds of destination, as the table has them. */
export const destinationKinds = { app: 1, subscription: 2, mail: 3, callback: 4 } as const;

export type DestinationKind = keyof typeof destinationKinds;

/** How a send stands, as the tables have it; hearth.delivery.v1.DeliveryState. */
export const states = { waiting: 1, delivered: 2, failed: 3, notSent: 4 } as const;

export type { LeaseSql };

/** SQL that makes destinations due: see `touchSql` of @hearth/outbound. */
export const touchSql = (source: string, lease?: LeaseSql) => touch('delivery', source, lease);

/** Makes destinations due at `dueAt`, in the transaction that gives them something to send; poke the engine after its commit. */
export const touchDestinations = (
  tx: Tx,
  kind: (typeof destinationKinds)[DestinationKind],
  destinations: readonly string[],
  dueAt: Date,
) => touchAll(tx, 'delivery', kind, destinations, dueAt);
