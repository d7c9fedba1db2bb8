import { RequestKind } from '@hearth/proto/approvals/v1/approvals';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { anonymous } from '@hearth/rpc';
import type { Context } from '../context.ts';
import type { Party } from '../domain/party.ts';

/** For each pair whether the recipient blocks the sender. */
export async function findBlocked(
  { peers }: Pick<Context, 'peers'>,
  pairs: readonly { sender: Party; recipient: Party }[],
): Promise<boolean[]> {
  if (pairs.length === 0) return [];
  const reaches = pairs.map(({ sender, recipient }) => ({
    sender: sender.id,
    senderKind: sender.kind,
    senderPerson: sender.person ?? '',
    senderGroup: sender.group ?? '',
    checked: sender.aiStatus !== AiStatus.UNCLAIMED,
    recipient: recipient.person ?? '',
    recipientAi: recipient.kind === 'ai' ? recipient.id : '',
    kind: RequestKind.OFFER,
    // As if they were in touch, so that a block alone counts.
    wroteBefore: true,
  }));
  const { reached } = await peers.rules.checkReach({ reaches }, { caller: anonymous });
  return reached.map(({ how }) => how === 'turned_away');
}
