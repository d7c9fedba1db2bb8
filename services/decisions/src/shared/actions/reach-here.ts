import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import { internal } from '@hearth/errors';
import type { CopyState } from '@hearth/home-acts';
import { RequestKind } from '@hearth/proto/approvals/v1/approvals';
import type { ReachSchema, RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import { AiStatus, type Caller } from '@hearth/proto/common/v1/caller';
import type { Profile } from '@hearth/proto/identity/v1/identity';
import type { MessagesService } from '@hearth/proto/messages/v1/messages';
import { anonymous, type CallOptions, type Client, callerKinds } from '@hearth/rpc';

interface Deps {
  peers: {
    messages: Pick<Client<typeof MessagesService>, 'knowsParty'>;
    rules: Pick<Client<typeof RequestRulesService>, 'checkReach'>;
  };
}

/** How a local party is reached. */
export interface ReachedHere {
  how: 'inbox' | 'requests' | 'front_door' | 'declined' | 'turned_away';
  /** uuid of the AI at the front door that sees it first; null without one. */
  holder: string | null;
}

interface Reaching {
  /** Whether it counts towards the people's caps. */
  count: boolean;
  /** Number of items that each of them receives. */
  items: number;
  /** Whether it has ended already, and so reaches no one. */
  over: boolean;
}

/**
 * How a new remote thing reaches these local people and AIs by the people's request rules (kind offer), and
 * how many of the people don't know its sender; null if those are more than its home may reach.
 */
export async function reachHere(
  { peers }: Deps,
  { after: { home }, standing }: Pick<CopyState<DescMessage>, 'standing'> & { after: { home: string } },
  from: Caller,
  parties: readonly Profile[],
  { count, items, over }: Reaching,
): Promise<{ reached: ReachedHere[]; firstContacts: number } | null> {
  const byAi = from.kind === callerKinds.AI;
  const known = await Promise.all(parties.map((party) => !standing.limited && knows(party)));
  const people = parties.map(personOf);
  const strangers = new Set(people.filter((person, index) => person !== '' && !known[index]));
  if (strangers.size * items > standing.firstContactsLeft) return null;
  const reached = await Promise.all(parties.map((party, index) => reach(party, known[index] === true)));
  return { reached, firstContacts: strangers.size };

  async function knows(profile: Profile): Promise<boolean> {
    const owners = [...new Set([profile.id, personOf(profile)])].filter((id) => id !== '');
    return (await peers.messages.knowsParty({ owners, others: [from.id] }, { caller: anonymous })).known;
  }

  async function reach(profile: Profile, wroteBefore: boolean): Promise<ReachedHere> {
    // A group's AI is only reachable for its members.
    if (over || profile.group !== '') return { how: 'turned_away', holder: null };
    const reaching = {
      ...{ sender: from.id, senderKind: byAi ? 'ai' : 'person', home, senderAddress: from.address },
      checked: !byAi || from.aiStatus === AiStatus.CLAIMED || from.aiStatus === AiStatus.VOUCHED,
      ...{ recipient: personOf(profile), recipientAi: profile.person ? '' : profile.id, count, wroteBefore },
    };
    return await reachOne(peers, reaching, { caller: anonymous });
  }
}

/** How a recipient is reached by their person's request rules (kind offer). */
export async function reachOne(
  { rules }: Pick<Deps['peers'], 'rules'>,
  reaching: Omit<MessageInitShape<typeof ReachSchema>, '$typeName' | 'kind'>,
  options: CallOptions,
): Promise<ReachedHere> {
  const { reached } = await rules.checkReach(
    { reaches: [{ ...reaching, kind: RequestKind.OFFER }] },
    options,
  );
  const [policy] = reached;
  if (policy === undefined) throw internal('approvals says nothing of who reaches whom');
  return { how: policy.how as ReachedHere['how'], holder: policy.frontDoor || null };
}

/** uuid of the person whose rules apply; '' for an AI without an owner. */
const personOf = ({ id, owner, person }: Profile) => (person ? id : owner);
