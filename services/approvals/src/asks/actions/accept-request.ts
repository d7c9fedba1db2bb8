import type { Context } from '../context.ts';
import { moveRecipient } from '../db/recipients.ts';
import { changeApproval } from './change-approval.ts';

/** Moves places of an ask out of the requests, among the asks that wait for the person's answer. */
export async function acceptRequest(
  context: Context,
  id: string,
  positions: readonly number[],
  person: string,
): Promise<void> {
  await changeApproval(context, id, async (_, recipients, tx) => {
    for (const one of recipients) {
      if (!positions.includes(one.position) || one.decision !== 'waiting') continue;
      // An ask at the front door goes to the person; an ask to an AI stays with the AI.
      const owner = one.box === 'front_door' ? (one.person ?? person) : (one.owner ?? person);
      await moveRecipient(tx, one, { owner, box: 'inbox' });
    }
    return null;
  });
}
