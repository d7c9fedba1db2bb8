import { nowDate } from '@hearth/clock';
import { inBatches } from '@hearth/db';
import type { UnitOfWork } from '@hearth/outbox';
import { lockRestored } from '../../shared/db/ais.ts';
import { findPeopleByIds } from '../../shared/db/people.ts';
import { appsOf } from '../actions/managed-ai.ts';
import { restoreLocked } from '../actions/restore-locked.ts';
import type { Context } from '../context.ts';

const batch = 100;

/**
 * Announces expired suspensions, so that the AIs are woken again. Their keys work from the moment of expiry.
 */
export async function endSuspensions({ clock, commit }: Pick<Context, 'clock' | 'commit'>): Promise<void> {
  await inBatches<UnitOfWork>({ transaction: commit }, batch, async (tx, size) => {
    const ais = await lockRestored(tx, nowDate(clock), size);
    const owners = await findPeopleByIds(
      tx,
      ais.flatMap(({ owner }) => owner ?? []),
    );
    const appOf = new Map(owners.map(({ id, app }) => [id, app ?? '']));
    for (const ai of ais) {
      const apps = appsOf(ai, { app: appOf.get(ai.owner ?? '') ?? '' });
      await restoreLocked(tx, ai, { reason: '', apps });
    }
    return ais.length;
  });
}
