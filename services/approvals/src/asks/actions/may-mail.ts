import { isMinor } from '@hearth/people';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { anyone } from '@hearth/rpc';
import type { Reaching } from '../../contact-rules/actions/contact-policy.ts';
import { kindOf } from '../../shared/domain/request-kinds.ts';
import type { Context } from '../context.ts';
import type { ApprovalRow } from '../db/approvals.ts';

type Needed = { peers: Pick<Context['peers'], 'people' | 'ais'>; rules: Pick<Context['rules'], 'reach'> };

/**
 * Whether an ask may go to an e-mail address: the one by which somebody signs in here leads around neither their rules nor
 * their blocks, and to somebody under 18 for their guardians alone. Whoever asks is told nothing of it, for they would
 * learn whose address it is.
 */
export async function reachesByMail(
  { peers, rules }: Needed,
  approval: ApprovalRow,
  email: string,
): Promise<boolean> {
  const { results } = await peers.people.findPeople({ emails: [email] }, { caller: anyone });
  const person = results[0]?.facts;
  if (person === undefined || approval.asker === null) return true;
  const word = approval.asker_person ?? '';
  if (isMinor(person)) return word === person.id || person.guardians.includes(word);
  const { how } = await rules.reach.check({
    ...(await senderOf(peers, approval.asker, approval)),
    home: null,
    senderAddress: null,
    recipient: person.id,
    recipientAi: null,
    kind: kindOf(approval.request_kind) ?? 'other',
    wroteBefore: false,
    count: false,
  });
  return how !== 'declined' && how !== 'turned_away';
}

type Sender = Pick<Reaching, 'sender' | 'senderKind' | 'senderPerson' | 'senderGroup' | 'checked'>;

/** Who asked, as they are now. */
async function senderOf(
  { ais }: Pick<Context['peers'], 'ais'>,
  sender: string,
  { asker_kind, asker_person }: ApprovalRow,
): Promise<Sender> {
  if (asker_kind !== 'ai') {
    return { sender, senderKind: 'person', senderPerson: null, senderGroup: null, checked: true };
  }
  const { results } = await ais.findAis({ ids: [sender] }, { caller: anyone });
  const facts = results[0]?.facts;
  return {
    sender,
    senderKind: 'ai',
    senderPerson: asker_person,
    senderGroup: facts?.group || null,
    checked: facts !== undefined && facts.status !== AiStatus.UNCLAIMED,
  };
}
