import { isFreeHandle, parseAddress } from '@hearth/addresses';
import { forbidden, notFound } from '@hearth/errors';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import { type Call, type Caller, type Client, callerKinds, personOf } from '@hearth/rpc';
import type { Blocks } from '../../request-messages/actions/blocks.ts';
import { inInbox, type Landing, landingOf, turnedAway } from '../domain/placement.ts';
import type { CheckReach } from './check-contact-policy.ts';
import type { Contacts } from './contacts.ts';
import { type Correspondent, seesMinor } from './correspondents.ts';

export interface LandTools {
  contacts: Contacts;
  blocks: Pick<Blocks, 'isBlocked'>;
  groups: Pick<Client<typeof GroupsService>, 'shareGroup' | 'findMembership'>;
  people: { findOne(id: string): Promise<{ guardians: string[]; app: string } | null> };
  checkReach: CheckReach;
}

/** What is to land. */
export interface Arriving {
  recipient: Correspondent;
  /** Named by a handle that the sender may not know: of somebody under 18. */
  unseen: boolean;
  /** RequestKind, as the sender says. */
  kind: number;
  /** In a thread that the recipient took into the inbox. */
  accepted: boolean;
  /** Counts towards the recipient's weekly cap. */
  count: boolean;
}

/** Where a message lands. */
export type Landed = Landing & {
  /** It goes to somebody who is a stranger to the sender. */
  stranger: boolean;
  /** uuids of groups that both sides are in; none where that would tell who owns the sender. */
  groups: readonly string[];
};

/**
 * Where a message of the caller to `recipient` lands. What goes to AIs that nobody owns asks nobody else.
 *
 * @throws forbidden for whom the recipient does not take messages from; not_found for the AI of a group of others
 */
export async function land(tools: LandTools, arriving: Arriving, call: Call): Promise<Landed> {
  const { recipient } = arriving;
  const { caller } = call;
  if (recipient.group !== '') return await landAtGroup(tools, recipient.group, call);
  const behind = behindOf(recipient);
  const family = caller.minor && (await requireYoungMayWrite(tools, recipient, behind, call));
  if (behind === '') return await landAtUnowned(tools, recipient, caller);
  if (personOf(caller) === behind) return { ...inInbox, stranger: false, groups: [] };
  return await landAtPerson(tools, arriving, behind, family, call);
}

/** uuid of the person whose word counts for what reaches that address; empty for an AI that nobody owns. */
export function behindOf({ person, id, owner }: Pick<Correspondent, 'person' | 'id' | 'owner'>): string {
  return person ? id : owner;
}

/** The AI of a group is there for the members of the group. */
async function landAtGroup({ groups }: LandTools, group: string, call: Call): Promise<Landed> {
  const person = personOf(call.caller);
  const member =
    person !== null && (await groups.findMembership({ group, person }, { call })).group !== undefined;
  if (!member) throw notFound();
  return { ...inInbox, stranger: false, groups: hidesOwner(call.caller) ? [] : [group] };
}

/** It takes everything, but from whom it blocks. */
async function landAtUnowned(tools: LandTools, { id }: Correspondent, caller: Caller): Promise<Landed> {
  if (await tools.blocks.isBlocked(id, partyOf(caller))) throw turnedAway();
  return { ...inInbox, stranger: !(await tools.contacts.knows([id], [caller.id])), groups: [] };
}

/** By a group shared, an acquaintance, blocks, and the rules of the person. */
async function landAtPerson(
  tools: LandTools,
  { recipient, unseen, kind, accepted, count }: Arriving,
  behind: string,
  family: boolean,
  call: Call,
): Promise<Landed> {
  const { caller } = call;
  const wroteBefore =
    accepted || (await tools.contacts.knows([...new Set([recipient.id, behind])], partyOf(caller)));
  const reached = await tools.checkReach(
    {
      sender: caller.id,
      senderKind: caller.kind === callerKinds.AI ? 'ai' : 'person',
      senderPerson: personOf(caller) ?? '',
      senderGroup: caller.group,
      checked: isChecked(caller),
      recipient: behind,
      recipientAi: recipient.person ? '' : recipient.id,
      kind,
      count,
      wroteBefore,
      family,
      unseen,
    },
    call,
  );
  // Said after the question, so that it takes as long whatever the reason.
  const held = reached.how === 'requests' && reached.guardian !== '';
  if (reached.how === 'turned_away' || (unseen && !held)) throw turnedAway();
  if (recipient.minor && !recipient.person && !guards(recipient, behind, caller)) throw turnedAway();
  return {
    ...landingOf(reached, kind),
    stranger: reached.how !== 'inbox',
    groups: hidesOwner(caller) ? [] : reached.groups,
  };
}

/** An AI whose address does not tell whose it is: a group that it shares with somebody would. */
function hidesOwner({ address, kind }: Caller): boolean {
  if (kind !== callerKinds.AI) return false;
  const read = parseAddress(address);
  return read?.kind !== 'ai' || (read.ofGroup !== true && isFreeHandle(read.handle));
}

/** An AI of somebody under 18, whose address holds their handle, is there for their guardians alone. */
function guards(recipient: Correspondent, behind: string, { person, id }: Caller): boolean {
  return seesMinor(recipient, behind, { app: '', person, id });
}

/** Who writes, with the person behind. */
function partyOf({ id, person }: Caller): string[] {
  return person === '' ? [id] : [id, person];
}

function isChecked({ kind, aiStatus }: Caller): boolean {
  return kind !== callerKinds.AI || aiStatus !== AiStatus.UNCLAIMED;
}

async function share({ groups }: LandTools, caller: Caller, other: string, call: Call): Promise<boolean> {
  const person = personOf(caller);
  if (person === null || other === '') return false;
  if (person === other) return true;
  const answer = await groups.shareGroup({ pairs: [{ one: person, other }] }, { call });
  return answer.share[0] ?? false;
}

/**
 * Somebody under 18 writes to their guardians and to people of their groups alone; an AI of theirs, whose address holds
 * their handle, to those who see them as they are. Whether it is one of these.
 *
 * @throws forbidden for everybody else
 */
async function requireYoungMayWrite(
  tools: LandTools,
  recipient: Correspondent,
  behind: string,
  call: Call,
): Promise<boolean> {
  const { caller } = call;
  const child = personOf(caller) ?? caller.id;
  const facts = await tools.people.findOne(child);
  const viewer = { app: '', person: behind, id: recipient.id };
  if (facts !== null && seesMinor(facts, child, viewer)) return true;
  if (caller.kind === callerKinds.AI)
    throw forbidden('an AI of somebody under 18 writes to its person and their guardians alone');
  if (!(await share(tools, caller, behind, call)))
    throw forbidden('somebody under 18 writes to their guardians and to people of their groups alone');
  return false;
}
