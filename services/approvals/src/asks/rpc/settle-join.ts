import { personProof } from '@hearth/people';
import type { ApprovalsService } from '@hearth/proto/approvals/v1/approvals';
import type { UnaryHandler } from '@hearth/rpc';
import { changeUnsettled } from '../actions/change-approval.ts';
import { requireJoin } from '../actions/require-join.ts';
import type { Context } from '../context.ts';
import { vias } from '../domain/enum-names.ts';

/** The answer was given to groups, and settles the approval even if recipients have not answered. */
export const settleJoin =
  (context: Context): UnaryHandler<typeof ApprovalsService.method.settleJoin> =>
  async ({ id, approved, by, note, via, proof }) => {
    await requireJoin(context, id);
    const decision = approved ? 'approved' : 'declined';
    await changeUnsettled(context, id, (_, recipients) => {
      const place = recipients.find(
        (recipient) => recipient.recipient === by && recipient.decision === 'waiting',
      );
      return {
        act: { kind: 'settle', position: place?.position ?? null, decision },
        answer: {
          decision,
          answer: null,
          note: note || null,
          at: new Date(context.clock.now()),
          by,
          as: 'person',
          via: vias.nameOf(via) || 'home',
          proof: personProof(proof),
        },
        by,
      };
    });
    return {};
  };
