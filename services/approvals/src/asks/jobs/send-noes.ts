import { describeParty } from '@hearth/people';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import type { Context } from '../context.ts';
import { clearNoes, findDueNoes } from '../db/home-places.ts';

const batch = 100;

/** Sends scheduled noes (of rules, blocks and deleted accounts) to the homes of their asks. */
export async function sendNoes(context: Context): Promise<void> {
  const { approvals, clock, database, sentActs } = context;
  for (const id of await findDueNoes(database.db, new Date(clock.now()), batch))
    await approvals.locked(id, async (tx, { approval, recipients }) => {
      const now = new Date(clock.now());
      const due = recipients.filter(({ no_due_at: at }) => at !== null && at <= now);
      await clearNoes(
        tx,
        id,
        due.map(({ position }) => position),
      );
      if (approval.status !== 'waiting' || approval.reference === null || approval.expires_at <= now) return;
      for (const { recipient, kind, name, address, person, position } of due) {
        const ai = kind === 'ai';
        const aiStatus = ai && person === null ? AiStatus.UNCLAIMED : AiStatus.CLAIMED;
        const described = describeParty({ id: recipient as string, ai, name, verified: true, aiStatus });
        await sentActs.send(tx, {
          ...{ on: approval.reference, operation: 'reply_approval' },
          request: { decision: 'declined', ask_digest: approval.digest },
          actor: { id: recipient as string, address, described },
          ...{ by: 'rule', proof: 'key', via: 'home', expiresAt: approval.expires_at },
          kept: { approval: id, position, given: null },
        });
      }
    });
}
