import { isCanonicalAddress, parseAddress } from '@hearth/addresses';
import type { Tx } from '@hearth/db';
import { HomeItemType } from '@hearth/proto/events/v1/events';
import { type HomeItem, HomeItemDecision, type HomeItemsService } from '@hearth/proto/federation/v1/items';
import type { UnaryHandler } from '@hearth/rpc';
import {
  findParties,
  findPartyByRemoteId,
  freeAddress,
  lockPartiesOf,
  type PartyRow,
  saveParty,
} from '../../shared/db/parties.ts';
import type { Context } from '../context.ts';

/** Handles notices of other homes about their people and AIs who moved to another address or are gone. */
export const receiveHomeItems =
  (context: Context): UnaryHandler<typeof HomeItemsService.method.receiveHomeItems> =>
  async ({ items }) => {
    for (const item of items) if (item.type === HomeItemType.NOTICE) await note(context, item);
    return { verdicts: items.map(() => ({ decision: HomeItemDecision.OK })) };
  };

/** The form of an id in HomeSender. */
const isPartyId = /^\P{Cc}{1,64}$/u;

/** Ignores unknown parties and malformed notices. */
async function note({ clock, commit, homeNames }: Context, { home, bodyJson }: HomeItem): Promise<void> {
  const { kind, address, was, id } = JSON.parse(bodyJson) as Record<string, unknown>;
  const isTheirs = (text: unknown): text is string => {
    const named =
      typeof text === 'string' && isCanonicalAddress(text, homeNames) ? parseAddress(text, homeNames) : null;
    return named?.home === home && named.kind !== 'group';
  };
  const before = kind === 'moved' ? was : address;
  if (!isTheirs(address) || typeof id !== 'string' || !isPartyId.test(id)) return;
  await commit(async (tx) => {
    await lockPartiesOf(tx, home);
    const party =
      (await findPartyByRemoteId(tx, home, id)) ?? (isTheirs(before) ? await findUnnamed(tx, before) : null);
    if (party === null || (kind === 'moved' && party.address === address)) return;
    let changed = [party.id];
    if (kind === 'gone') {
      await freeAddress(tx, party.id);
      tx.announce({ data: { case: 'partyGone', value: { party: party.id } } });
    } else if (kind === 'moved')
      changed = await saveParty(tx, { ...party, remoteId: id, address }, new Date(clock.now()));
    tx.signal('credentials', ...changed);
    if (party.person) tx.signal('people', ...changed);
  });
}

/** A party that has only been written to, whose id is not known yet. */
async function findUnnamed(tx: Tx, address: string): Promise<PartyRow | null> {
  const [at] = await findParties(tx, { addresses: [address] });
  return at === undefined || at.remoteId !== null ? null : at;
}
