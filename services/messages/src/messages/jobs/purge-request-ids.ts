import { day } from '@hearth/clock';
import { inBatches } from '@hearth/db';
import { sizeOf } from '@hearth/limits';
import type { Context } from '../context.ts';
import { deleteKeysBefore } from '../db/idempotency.ts';

const batchSize = 1_000;

/** Forgets request_ids after the limit request_id_days. */
export async function purgeRequestIds({ clock, database, limits }: Context): Promise<void> {
  const before = new Date(clock.now() - sizeOf(limits, 'request_id_days') * day);
  await inBatches(database, batchSize, (tx, size) => deleteKeysBefore(tx, before, size));
}
