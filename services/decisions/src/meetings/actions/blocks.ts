import { RequestKind } from '@hearth/proto/approvals/v1/approvals';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { anonymous, type Caller } from '@hearth/rpc';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import type { Context } from '../context.ts';
import type { OfferRow } from '../db/offers.ts';
import { addressed, isHere, type Party } from '../domain/party.ts';
import { partyOf } from './find-party.ts';

/** Those of the offers whose maker does not block the caller, as whom the caller would book them. */
export async function notBlocked<Row extends OfferRow>(
  context: Pick<Context, 'peers'>,
  offers: readonly Row[],
  caller: Caller,
): Promise<Row[]> {
  const viewer = viewerIdOf(caller);
  const self = partyOf(caller);
  // The home of any other offer looks at the blocks of its people.
  const others = offers.filter(({ host, host_viewer }) => host_viewer !== viewer && isHere(host));
  const pairs = others.map((offer) => ({ sender: addressed(offer, self), recipient: offer.host }));
  const blocked = await findBlocked(context, pairs);
  const hidden = new Set(others.filter((_, index) => blocked[index]));
  return offers.filter((offer) => !hidden.has(offer));
}

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
    ...(sender.home !== undefined && { home: sender.home, senderAddress: sender.address }),
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
