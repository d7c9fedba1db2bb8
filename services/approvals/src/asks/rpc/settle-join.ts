import { notFound } from '@hearth/errors';
import { changeUnsettled } from '../actions/change-approval.ts';
import type { Context } from '../context.ts';
import { findApproval } from '../db/approvals.ts';
import { proofWord, vias } from '../domain/enum-names.ts';
import type { ApprovalsHandlers } from './index.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The word about who wants to join was given to groups itself: it settles the approval, whoever has not answered. */
export const settleJoin =
  (context: Context): ApprovalsHandlers['settleJoin'] =>
  async ({ id, approved, by, note, via, proof }) => {
    await requireJoin(context, id);
    const decision = approved ? 'approved' : 'declined';
    await changeUnsettled(context, id, (_, recipients) => {
      const place = recipients.find((one) => one.recipient === by && one.decision === 'waiting');
      return {
        act: { kind: 'settle', position: place?.position ?? null, decision },
        answer: {
          decision,
          answer: null,
          note: note || null,
          at: new Date(context.clock.now()),
          by,
          as: 'person',
          via: vias.word(via) || 'home',
          proof: proofWord(proof),
        },
        by,
      };
    });
    return {};
  };

/** Nobody needs to answer whether somebody may join any more. */
export const cancelJoin =
  (context: Context): ApprovalsHandlers['cancelJoin'] =>
  async ({ id }) => {
    await requireJoin(context, id);
    await changeUnsettled(context, id, () => ({ act: { kind: 'cancel' }, by: null }));
    return {};
  };

/** @throws not_found */
async function requireJoin({ database }: Context, id: string): Promise<void> {
  const approval = uuid.test(id) ? await findApproval(database.db, id) : null;
  if (approval?.kind !== 'join_request') throw notFound();
}
