import { nowDate } from '@hearth/clock';
import { inBatches } from '@hearth/db';
import type { UnitOfWork } from '@hearth/outbox';
import { lockRestoredPeople } from '../../shared/db/people.ts';
import { notSuspended } from '../../shared/domain/suspension.ts';
import { changePerson } from '../actions/change-person.ts';
import type { Context } from '../context.ts';

const batch = 100;

/**
 * Announces expired suspensions, so that the AIs of these people are woken again. They can act from the
 * moment of expiry.
 */
export async function endSuspensions(context: Context): Promise<void> {
  await inBatches<UnitOfWork>({ transaction: context.commit }, batch, async (tx, size) => {
    const people = await lockRestoredPeople(tx, nowDate(context.clock), size);
    for (const person of people)
      await changePerson(context, tx, person, notSuspended, { changed: ['restored'], by: undefined });
    return people.length;
  });
}
