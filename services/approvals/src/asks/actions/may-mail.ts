import { aiHere, personHere } from '@hearth/people';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import type { ContactAttempt } from '../../contact-rules/module.ts';
import { kindOf } from '../../shared/domain/request-kinds.ts';
import type { Context } from '../context.ts';
import type { ApprovalRow } from '../db/approvals.ts';

/** Whether an ask may go to an email address; always true for asks of the home itself. */
export async function mayMail(
  { knownAis, rules }: Pick<Context, 'knownAis' | 'rules'>,
  approval: ApprovalRow,
  email: string,
): Promise<boolean> {
  const { asker, request_kind } = approval;
  if (asker === null) return true;
  const from = () => senderOf(knownAis, asker, approval);
  return await rules.mayMail({ from, kind: kindOf(request_kind) ?? 'other', email });
}

/** The asker's current standing as a sender. */
async function senderOf(
  knownAis: Context['knownAis'],
  sender: string,
  { asker_kind, asker_person }: ApprovalRow,
): Promise<Pick<ContactAttempt, 'sender' | 'checked'>> {
  if (asker_kind !== 'ai') return { sender: personHere(sender), checked: true };
  const facts = (await knownAis([sender])).get(sender);
  return {
    sender: aiHere(sender, { person: asker_person, group: facts?.group ?? null }),
    checked: facts !== undefined && facts.status !== AiStatus.UNCLAIMED,
  };
}
