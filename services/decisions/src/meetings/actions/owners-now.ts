import type { Tx } from '@hearth/db';
import { isMinor } from '@hearth/people';
import { anonymous, type Caller } from '@hearth/rpc';
import { lockHands } from '../../shared/db/hands.ts';
import type { Context } from '../context.ts';
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
  const owners = ais.length === 0 ? new Map<string, string | null>() : await lockHands(tx, ais);
  return (recipient) => {
    const { party } = recipient;
    const person = party === null ? undefined : owners.get(party.id);
    return party === null || person === undefined ? recipient : { ...recipient, party: { ...party, person } };
  };
}

/** The AI that calls, with its current owner (uuid); the gateway resolved its credential before the change. */
export async function asOwnedBy(
  { peers, people }: Pick<Context, 'peers' | 'people'>,
  caller: Caller,
  person: string | null,
): Promise<Caller> {
  if (person !== null) return { ...caller, person };
  // The AI of a person under 18 counts as one without an owner here.
  const { results } = await peers.ais.findAis({ ids: [caller.id] }, { caller: anonymous });
  const owner = results[0]?.facts?.owner || null;
  const facts = owner === null ? null : await people.findOne(owner);
  return { ...caller, person: '', minor: facts !== null && isMinor(facts) };
}
