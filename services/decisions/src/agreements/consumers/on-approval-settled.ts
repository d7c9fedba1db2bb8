import { withHome } from '@hearth/addresses';
import { parseId } from '@hearth/ids';
import type { ApprovalSettled } from '@hearth/proto/events/v1/events';
import { anonymous } from '@hearth/rpc';
import type { ReceivedEvent } from '@hearth/runtime';
import { changeEach } from '../actions/change.ts';
import { findBoth } from '../actions/copied.ts';
import { isFamilyNow } from '../actions/family-now.ts';
import type { Context } from '../context.ts';
import { type AgreementRow, findByApproval } from '../db/agreements.ts';
import type { OwnerWord } from '../domain/agreement.ts';

/**
 * Records an owner's approval. A refusal, an expired question, or an approval after the other side stopped
 * being the child's guardian ends the agreement. The errands notify a remote home. Idempotent.
 */
export const onApprovalSettled = (context: Context) => ({
  durable: 'approvals-of-agreements',
  types: ['approval_settled'],
  async handle(received: readonly ReceivedEvent[]) {
    for (const { event } of received) {
      if (event.data.case !== 'approvalSettled' || event.data.value.kind !== 'agreement') continue;
      const { approval, status, void: nothing } = event.data.value;
      const asked = parseId('apr', approval);
      const ids = asked === null ? [] : await findByApproval(context.database.db, asked);
      const rows = await findBoth(context, ids);
      const stands = await Promise.all(rows.map(({ sides }) => isFamilyNow(context, sides)));
      const approved = status === 'approved' && nothing === '' && stands.every(Boolean);
      const word = approved ? await wordOf(context, event.data.value, rows) : undefined;
      await changeEach(context, ids, ({ sides, status }) => {
        const side = sides.find((party) => party.approval === asked);
        if (side === undefined || side.gone || side.box === 'refused' || status !== 'open') return null;
        const { ai } = side;
        return approved ? { kind: 'approve', ai, word } : { kind: 'decline', ai, reason: '' };
      });
    }
  },
});

/**
 * How the owner approved. Names an AI that approved for them only if that doesn't reveal the owner of the
 * side's AI.
 */
async function wordOf(
  context: Context,
  { answeredBy, approval, word }: ApprovalSettled,
  [row]: readonly AgreementRow[],
): Promise<OwnerWord | undefined> {
  if (word === undefined) return undefined;
  const { proof, via } = word;
  if (word.by !== 'ai') return { by: 'person', proof, via };
  const asked = parseId('apr', approval);
  const side = row?.sides.find((party) => party.approval === asked);
  const named = [answeredBy, side?.ai ?? ''].filter((id) => id !== '');
  const { results } = await context.peers.identity.findProfiles({ ids: named }, { caller: anonymous });
  const [speaker, signer] = results.map(({ profile }) => profile);
  const isShown =
    speaker?.id === side?.ai || [speaker, signer].every((profile) => profile?.ownerPrivate === false);
  const { ownHome } = context.homeNames;
  return {
    ...{ by: 'ai', proof, via },
    ...(speaker !== undefined && isShown && { ai: withHome(speaker.address, ownHome) }),
  };
}
