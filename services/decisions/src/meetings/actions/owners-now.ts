import type { Tx } from '@hearth/db';
import { lockHands, type Owned } from '../../shared/db/hands.ts';
import type { Recipient } from '../db/offers.ts';
import { isHere } from '../domain/party.ts';

/**
 * Updates the owners of recipients that were looked up earlier, since a concurrent change of hands couldn't
 * find them. Call this before locking the offer; a change of hands locks offers last.
 */
export async function ownersNow(
  tx: Tx,
  recipients: readonly Recipient[],
): Promise<(recipient: Recipient) => Recipient> {
  const ais = recipients.flatMap(({ party }) => (party?.kind === 'ai' && isHere(party) ? [party.id] : []));
  const owners = ais.length === 0 ? new Map<string, Owned>() : await lockHands(tx, ais);
  return (recipient) => {
    const { party } = recipient;
    const now = party === null ? undefined : owners.get(party.id);
    if (party === null || now === undefined) return recipient;
    return { ...recipient, party: { ...party, person: now.minor ? null : now.person } };
  };
}
