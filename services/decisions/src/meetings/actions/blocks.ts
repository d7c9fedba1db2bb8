import { RequestKind } from '@hearth/proto/approvals/v1/approvals';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { anonymous, type Caller } from '@hearth/rpc';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import type { Context } from '../context.ts';
import type { OfferRow } from '../db/offers.ts';
import { addressed, isHere, type Party } from '../domain/party.ts';
import { partyOf } from './find-party.ts';

/** The offers whose host doesn't block the party that the caller would book as. */
export async function notBlocked<Row extends OfferRow>(
  context: Pick<Context, 'peers'>,
  offers: readonly Row[],
  caller: Caller,
): Promise<Row[]> {
  const viewer = viewerIdOf(caller);
  const self = partyOf(caller);
  // The home of a remote offer checks its own people's blocks.
  const others = offers.filter(({ host, host_viewer }) => host_viewer !== viewer && isHere(host));
  const pairs = others.map((offer) => ({ sender: addressed(offer, self), recipient: offer.host }));
  const blocked = await findBlocked(context, pairs);
  const hidden = new Set(others.filter((_, index) => blocked[index]));
  return offers.filter((offer) => !hidden.has(offer));
}

/** For each pair, whether the recipient blocks the sender. */
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
    // As if already in touch, so that nothing but a block turns the sender away.
    wroteBefore: true,
  }));
  const { reached } = await peers.rules.checkReach({ reaches }, { caller: anonymous });
  return reached.map(({ how }) => how === 'turned_away');
}
