import { inBatches } from '@hearth/db';
import type { UnitOfWork } from '@hearth/outbox';
import type { Context } from '../context.ts';
import { lockEnded } from '../db/groups.ts';

const batch = 50;

/** Archives the groups whose end has come. They already show as archived before it runs. */
export async function archiveEnded({ clock, commit, groups }: Context): Promise<void> {
  await inBatches<UnitOfWork>({ transaction: commit }, batch, async (tx, size) => {
    const ended = await lockEnded(tx, new Date(clock.now()), size);
    for (const group of ended)
      await groups.take(tx, group, { kind: 'archive', why: 'ended', by: null, at: group.ends_at as Date });
    return ended.length;
  });
}
