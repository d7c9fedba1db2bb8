import { aiHere, isMinor, personHere } from '@hearth/people';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { anonymous } from '@hearth/rpc';
import type { ContactAttempt } from '../../contact-rules/module.ts';
import { kindOf } from '../../shared/domain/request-kinds.ts';
import type { Context } from '../context.ts';
import type { ApprovalRow } from '../db/approvals.ts';

/**
 * Whether an ask may go to an e-mail address. The address with which a person signs in here leads around neither their rules
 * nor their blocks, and to a child for their guardians alone. The asker is not told, for they would learn whose address it
 * is.
 */
export async function mayMail(
  { peers, rules }: Pick<Context, 'peers' | 'rules'>,
  approval: ApprovalRow,
  email: string,
): Promise<boolean> {
  const { results } = await peers.people.findPeople({ emails: [email] }, { caller: anonymous });
  const person = results[0]?.facts;
  if (person === undefined || approval.asker === null) return true;
  const responsible = approval.asker_person ?? '';
  if (isMinor(person)) return responsible === person.id || person.guardians.includes(responsible);
  const { how } = await rules.check({
    ...(await senderOf(peers, approval.asker, approval)),
    recipient: person.id,
    recipientAi: null,
    kind: kindOf(approval.request_kind) ?? 'other',
    wroteBefore: false,
    count: false,
  });
  return how !== 'declined' && how !== 'turned_away';
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
