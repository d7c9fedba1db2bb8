import { parseAddress, printAddress } from '@hearth/addresses';
import { badField } from '@hearth/errors';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { HomeSenderKind, HomeSenderSchema, type PartiesService } from '@hearth/proto/identity/v1/parties';
import type { UnaryHandler } from '@hearth/rpc';
import {
  findPartiesFor,
  lockPartiesOf,
  type PartyQuestion,
  type PartyRow,
  saveParty,
} from '../../shared/db/parties.ts';
import { isMisleading } from '../../shared/domain/ai-name.ts';
import { aiStatuses, toPartyProfile } from '../../shared/domain/to-proto.ts';
import type { Context } from '../context.ts';

/** @throws bad_field unless it is the address of a person or AI of another home */
export const meetParty =
  (context: Context): UnaryHandler<typeof PartiesService.method.meetParty> =>
  async ({ address: given, senderJson }) => {
    const address = parseAddress(given, context.homeNames);
    if (address?.home === undefined || address.kind === 'group')
      throw badField('address', 'must be of a person or an AI of another home');
    const met = {
      home: address.home,
      address: printAddress(address),
      // Until their home tells more.
      person: address.kind === 'person',
      name: address.kind === 'person' ? address.handle : address.name,
    };
    const facts = senderJson === '' ? null : readSender(context, senderJson);
    if (facts !== null && facts.person !== met.person)
      throw badField('kind', `must be that of the address, ${met.person ? 'person' : 'ai'}`);
    if (facts !== null && isMisleading(facts.name)) facts.name = met.name;
    return { profile: toPartyProfile(await meet(context, met, facts)) };
  };

/** A party as its own home describes it. */
type Facts = Pick<PartyRow, 'person' | 'name' | 'status'> & { id: string };

function readSender({ reader }: Context, json: string): Facts {
  const { id, kind, name, status = '' } = reader.readMessage(HomeSenderSchema, JSON.parse(json));
  if (kind === HomeSenderKind.PERSON) return { id, person: true, name, status: AiStatus.UNSPECIFIED };
  return { id, person: false, name, status: aiStatuses.valueOf(status) || AiStatus.UNCLAIMED };
}

type Met = Pick<PartyRow, 'home' | 'person' | 'name'> & { address: string };

async function meet(context: Context, met: Met, facts: Facts | null): Promise<PartyRow> {
  const { clock, commit, ids, known: kept } = context;
  const question = { home: met.home, remoteId: facts?.id ?? null, address: met.address };
  const known = found(await kept.find(question), question);
  if (known !== null && isSame(known, met, facts)) return known;
  return await commit(async (tx) => {
    await lockPartiesOf(tx, met.home);
    const before = found(await findPartiesFor(tx, [question]), question);
    if (before !== null && isSame(before, met, facts)) return before;
    const { person, name, status } = facts ?? before ?? { ...met, status: 0 };
    const party: PartyRow = {
      id: before?.id ?? ids.uuid(),
      home: met.home,
      address: met.address,
      remoteId: facts?.id ?? null,
      ...{ person, name, status },
    };
    const changed = await saveParty(tx, party, new Date(clock.now()));
    tx.signal('credentials', ...changed);
    if (party.person) tx.signal('people', ...changed);
    return party;
  });
}

/** Matches by the home's id if given; otherwise by address, among parties whose id is unknown. */
function found(rows: readonly PartyRow[], { home, remoteId, address }: PartyQuestion): PartyRow | null {
  const byId =
    remoteId === null ? undefined : rows.find((row) => row.home === home && row.remoteId === remoteId);
  if (byId !== undefined) return byId;
  const at = rows.find((row) => row.address === address);
  return at === undefined || (remoteId !== null && at.remoteId !== null) ? null : at;
}

function isSame(party: PartyRow, { address }: Met, facts: Facts | null): boolean {
  if (party.address !== address) return false;
  if (facts === null) return true;
  const { id, person, name, status } = facts;
  return party.remoteId === id && party.person === person && party.name === name && party.status === status;
}
