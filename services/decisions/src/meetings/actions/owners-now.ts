import type { Tx } from '@hearth/db';
import { lockHands } from '../../shared/db/hands.ts';
import type { Recipient } from '../db/offers.ts';
import { isHere } from '../domain/party.ts';

/**
 * Recipients that were looked up before, with the owners that their AIs have by now: a change of hands that was handled meanwhile
 * did not find them. Call it before the offer is locked, as a change of hands locks the offers last.
 */
export async function ownersNow(
  tx: Tx,
  recipients: readonly Recipient[],
): Promise<(recipient: Recipient) => Recipient> {
  const ais = recipients.flatMap(({ party }) => (party?.kind === 'ai' && isHere(party) ? [party.id] : []));
  const owners = ais.length === 0 ? new Map<string, string | null>() : await lockHands(tx, ais);
  return (recipient) => {
    const { party } = recipient;
    const person = party === null ? undefined : owners.get(party.id);
    return party === null || person === undefined ? recipient : { ...recipient, party: { ...party, person } };
  };
}
