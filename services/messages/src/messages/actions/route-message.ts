import { isFreeHandle, parseAddress } from '@hearth/addresses';
import { forbidden, internal, notFound } from '@hearth/errors';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import { type Call, type Caller, callerKinds, personOf } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { type Correspondent, responsiblePerson, seesMinor } from '../domain/correspondent.ts';
import { elsewhere, inInbox, type Placement, placementOf, turnedAway } from '../domain/placement.ts';

type Peers = Pick<Context, 'blocks' | 'contacts' | 'groups' | 'people' | 'requestRules'>;

/** A message to be routed. */
export interface Incoming {
  recipient: Correspondent;
  /** Whether the sender used the handle of a person under 18, which they may not know. */
  unseen: boolean;
  /** RequestKind as claimed by the sender. */
  kind: number;
  /** Treats the sender as a stranger, regardless of earlier contact. */
  asStranger: boolean;
  /** Whether the recipient took the thread into the inbox. */
  accepted: boolean;
  /** Whether it counts toward the recipient's weekly cap. */
  count: boolean;
}

export type Route = Placement & {
  /** Whether the recipient is a stranger to the sender. */
  stranger: boolean;
  /** uuids of groups that both sides belong to; empty if that would reveal the sender's owner. */
  groups: readonly string[];
};

/**
 * Routes a message from the caller to `recipient`. Calls no other service for AIs without an owner.
 *
 * @throws forbidden if the recipient does not accept messages from the caller; not_found for the AI of a
 * group that the caller is not in
 */
export async function routeMessage(peers: Peers, incoming: Incoming, call: Call): Promise<Route> {
  const { recipient } = incoming;
  const { caller } = call;
  if (recipient.home !== '') {
    const known = await peers.contacts.knows([recipient.id], [caller.id]);
    return { ...elsewhere, stranger: !known, groups: [] };
  }
  if (recipient.group !== '') return await routeToGroup(peers, recipient.group, call);
  const responsible = responsiblePerson(recipient);
  const family = caller.minor && (await requireMinorMayWrite(peers, recipient, responsible, call));
  if (responsible === '') return await routeToUnowned(peers, recipient, caller);
  if (personOf(caller) === responsible) return { ...inInbox, stranger: false, groups: [] };
  return await routeByPolicy(peers, incoming, responsible, family, call);
}

/** A group's AI accepts messages from its members. */
async function routeToGroup({ groups }: Peers, group: string, call: Call): Promise<Route> {
  const person = personOf(call.caller);
  const member =
    person !== null && (await groups.findMembership({ group, person }, { call })).group !== undefined;
  if (!member) throw notFound();
  return { ...inInbox, stranger: false, groups: hidesOwner(call.caller) ? [] : [group] };
}

/** An AI without an owner accepts messages from everyone it does not block. */
async function routeToUnowned(peers: Peers, { id }: Correspondent, caller: Caller): Promise<Route> {
  if (await peers.blocks.isBlocked(id, identitiesOf(caller))) throw turnedAway();
  return { ...inInbox, stranger: !(await peers.contacts.knows([id], [caller.id])), groups: [] };
}

/** Applies the person's contact policy: shared groups, acquaintance, blocks, and their rules. */
async function routeByPolicy(
  peers: Peers,
  { recipient, unseen, asStranger, kind, accepted, count }: Incoming,
  responsible: string,
  family: boolean,
  call: Call,
): Promise<Route> {
  const { caller } = call;
  const wroteBefore =
    !asStranger &&
    (accepted ||
      (await peers.contacts.knows([...new Set([recipient.id, responsible])], identitiesOf(caller))));
  const { reached } = await peers.requestRules.checkReach(
    {
      reaches: [
        {
          sender: caller.id,
          home: caller.home,
          senderAddress: caller.home === '' ? '' : caller.address,
          senderKind: caller.kind === callerKinds.AI ? 'ai' : 'person',
          senderPerson: personOf(caller) ?? '',
          senderGroup: caller.group,
          checked: isChecked(caller),
          recipient: responsible,
          recipientAi: recipient.person ? '' : recipient.id,
          kind,
          count,
          wroteBefore,
          family,
          unseen,
        },
      ],
    },
    { call },
  );
  const [policy] = reached;
  if (policy === undefined) throw internal('approvals says nothing of who reaches whom');
  // Checked after the policy request, so that a refusal takes the same time whatever the reason.
  const held = policy.how === 'requests' && policy.guardian !== '';
  if (policy.how === 'turned_away' || (unseen && !held)) throw turnedAway();
  if (recipient.minor && !recipient.person && !guards(recipient, responsible, caller)) throw turnedAway();
  return {
    ...placementOf(policy, kind),
    stranger: policy.how !== 'inbox',
    groups: hidesOwner(caller) ? [] : policy.groups,
  };
}

/** Such an AI's address does not reveal its owner, but a group shared with the recipient would. */
function hidesOwner({ address, kind }: Caller): boolean {
  if (kind !== callerKinds.AI) return false;
  const read = parseAddress(address);
  return read?.kind !== 'ai' || (read.ofGroup !== true && isFreeHandle(read.handle));
}

/** Only the guardians can write to the AI of a person under 18, because its address contains their handle. */
function guards(recipient: Correspondent, responsible: string, { person, id }: Caller): boolean {
  return seesMinor(recipient, responsible, { app: '', person, id });
}

/** The sender and, for an AI, the person behind it. */
function identitiesOf({ id, person }: Caller): string[] {
  return person === '' ? [id] : [id, person];
}

function isChecked({ kind, aiStatus }: Caller): boolean {
  return kind !== callerKinds.AI || aiStatus !== AiStatus.UNCLAIMED;
}

async function share({ groups }: Peers, caller: Caller, other: string, call: Call): Promise<boolean> {
  const person = personOf(caller);
  if (person === null || other === '') return false;
  if (person === other) return true;
  const answer = await groups.shareGroup({ pairs: [{ one: person, other }] }, { call });
  return answer.share[0] ?? false;
}

/**
 * A person under 18 may write only to guardians and people in their groups; their AI, whose address contains
 * their handle, only to those who see the person in full. Returns whether the recipient does.
 *
 * @throws forbidden for any other recipient
 */
async function requireMinorMayWrite(
  peers: Peers,
  recipient: Correspondent,
  responsible: string,
  call: Call,
): Promise<boolean> {
  const { caller } = call;
  const child = personOf(caller) ?? caller.id;
  const facts = await peers.people.findOne(child);
  const viewer = { app: '', person: responsible, id: recipient.id };
  if (facts !== null && seesMinor(facts, child, viewer)) return true;
  if (caller.kind === callerKinds.AI)
    throw forbidden('an AI of a person under 18 writes to its person and their guardians alone');
  if (!(await share(peers, caller, responsible, call)))
    throw forbidden('a person under 18 writes to their guardians and to people of their groups alone', {
      rule: 'only_acquaintances',
    });
  return false;
}
