import { day } from '@hearth/clock';
import { inBatches } from '@hearth/db';
import { sizeOf } from '@hearth/limits';
import type { Context } from '../context.ts';
import { deleteEndedBefore } from '../db/posts.ts';

const batch = 500;

/** Deletes posts that were closed or removed longer ago than the limit commons_kept_days. */
export async function purgeEnded({ clock, database, limits }: Context): Promise<void> {
  const before = new Date(clock.now() - sizeOf(limits, 'commons_kept_days') * day);
  await inBatches(database, batch, (tx, size) => deleteEndedBefore(tx, before, size));
}
