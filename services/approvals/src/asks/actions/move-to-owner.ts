import { isMinor } from '@hearth/people';
import { anonymous } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findWaitingAt, giveAsksOf } from '../db/owners.ts';
import { changePlace } from '../db/recipients.ts';
import { approvalsTopic } from '../domain/topics.ts';
import { changeUnsettled } from './change-approval.ts';

/**
 * Gives an AI's asks, and its places in other asks, to its current owner.
 *
 * @param former uuid of the previous owner, or empty
 */
export async function moveToOwner(
  context: Context,
  { ai, former }: { ai: string; former: string },
): Promise<void> {
  const { commit, database, peers, people } = context;
  const { results } = await peers.ais.findAis({ ids: [ai] }, { caller: anonymous });
  const facts = results[0]?.facts;
  if (facts === undefined || facts.group !== '') return;
  const owner = facts.owner === '' ? null : await people.findOne(facts.owner);
  const person = owner?.id ?? null;
  await commit(async (tx) => {
    await giveAsksOf(tx, { ai, keys: [ai, former].filter((one) => one !== ''), person });
    tx.wake(...[ai, former, person ?? ''].filter((one) => one !== '').map(approvalsTopic));
  });
  for (const id of await findWaitingAt(database.db, ai))
    await changeUnsettled(context, id, async (_, recipients, tx) => {
      for (const place of recipients) {
        if (place.recipient !== ai || place.decision !== 'waiting' || place.person === person) continue;
        // An AI without an owner gets everything in its inbox.
        const box = person === null ? 'inbox' : place.box;
        await changePlace(tx, place, { person, box, minor: owner !== null && isMinor(owner) });
      }
      return null;
    });
}
