import { aiHere, personHere } from '@hearth/people';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { anonymous } from '@hearth/rpc';
import type { ContactAttempt } from '../../contact-rules/module.ts';
import { kindOf } from '../../shared/domain/request-kinds.ts';
import type { Context } from '../context.ts';
import type { ApprovalRow } from '../db/approvals.ts';

/** Whether an ask may go to an e-mail address; the home itself writes to all. */
export async function mayMail(
  { peers, rules }: Pick<Context, 'peers' | 'rules'>,
  approval: ApprovalRow,
  email: string,
): Promise<boolean> {
  if (approval.asker === null) return true;
  const sender = await senderOf(peers, approval.asker, approval);
  return await rules.mayMail({ ...sender, kind: kindOf(approval.request_kind) ?? 'other', email });
}

/** The asker as they are now. */
async function senderOf(
  { ais }: Pick<Context['peers'], 'ais'>,
  sender: string,
  { asker_kind, asker_person }: ApprovalRow,
): Promise<Pick<ContactAttempt, 'sender' | 'checked'>> {
  if (asker_kind !== 'ai') return { sender: personHere(sender), checked: true };
  const { results } = await ais.findAis({ ids: [sender] }, { caller: anonymous });
  const facts = results[0]?.facts;
  return {
    sender: aiHere(sender, { person: asker_person, group: facts?.group ?? null }),
    checked: facts !== undefined && facts.status !== AiStatus.UNCLAIMED,
  };
}
