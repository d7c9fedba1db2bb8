import type { Tx } from '@hearth/db';
import { type LeaseSql, touchSql as touch, touchDestinations as touchAll } from '@hearth/outbound';

/** Kinds of destinations, as stored. */
export const destinationKinds = { app: 1, subscription: 2, mail: 3, callback: 4 } as const;

export type DestinationKind = keyof typeof destinationKinds;

/** States of a send, as stored; hearth.delivery.v1.DeliveryState. */
export const states = { waiting: 1, delivered: 2, failed: 3, notSent: 4 } as const;

export type { LeaseSql };

/** Builds SQL that makes destinations due: see `touchSql` of @hearth/outbound. */
export const touchSql = (source: string, lease?: LeaseSql) => touch('delivery', source, lease);

/** Makes destinations due at `dueAt`, in the transaction that queues their sends; poke the engine after the commit. */
export const touchDestinations = (
  tx: Tx,
  kind: (typeof destinationKinds)[DestinationKind],
  destinations: readonly string[],
  dueAt: Date,
) => touchAll(tx, 'delivery', kind, destinations, dueAt);
