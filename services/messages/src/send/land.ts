import { notFound } from '@hearth/errors';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import { type Call, type Caller, type Client, callerKinds, personOf } from '@hearth/rpc';
import type { Contacts } from '../contacts.ts';
import { type Correspondent, seesMinor } from '../correspondents.ts';
import { inInbox, type Landing, landing, requireYoungMayMeet, type YoungMeeting } from '../domain/boxes.ts';

export interface LandTools {
  contacts: Contacts;
  groups: Pick<Client<typeof GroupsService>, 'shareGroup' | 'findMembership'>;
  people: { findOne(id: string): Promise<{ guardians: string[]; app: string } | null> };
}

/** Where a message lands, and whether it goes to somebody who is a stranger to the sender. */
export type Landed = Landing & { stranger: boolean };

/**
 * Where a message of the caller to `recipient` lands. Between AIs that nobody owns nobody else is asked.
 *
 * @throws forbidden for whom the recipient does not take messages from; not_found for the AI of a group of others
 */
export async function land(tools: LandTools, recipient: Correspondent, call: Call): Promise<Landed> {
  const { caller } = call;
  if (recipient.group !== '') return await landAtGroup(tools, recipient.group, call);
  const behind = recipient.person ? recipient.id : recipient.owner;
  const family = (caller.minor || recipient.minor) && (await requireMayMeet(tools, recipient, behind, call));
  if (family) return { ...inInbox, stranger: false };
  const answered = await tools.contacts.knows(recipient.id, caller.id);
  if (behind === '') return { ...inInbox, stranger: !answered };
  const samePerson = personOf(caller) === behind;
  const shareGroup = !samePerson && !answered && (await share(tools, caller, behind, call));
  return {
    ...landing({ samePerson, shareGroup, answered }),
    stranger: !samePerson && !shareGroup && !answered,
  };
}

/** The AI of a group is there for the members of the group. */
async function landAtGroup({ groups }: LandTools, group: string, call: Call): Promise<Landed> {
  const person = personOf(call.caller);
  const member =
    person !== null && (await groups.findMembership({ group, person }, { call })).group !== undefined;
  if (!member) throw notFound();
  return { ...inInbox, stranger: false };
}

async function share({ groups }: LandTools, caller: Caller, other: string, call: Call): Promise<boolean> {
  const person = personOf(caller);
  if (person === null || other === '') return false;
  if (person === other) return true;
  const answer = await groups.shareGroup({ pairs: [{ one: person, other }] }, { call });
  return answer.share[0] ?? false;
}

/** Whether one of the two guards or holds the other, who is under 18, or both are the same child's. */
async function requireMayMeet(
  tools: LandTools,
  recipient: Correspondent,
  behind: string,
  call: Call,
): Promise<boolean> {
  const { caller } = call;
  const sender = caller.minor ? await senderSide(tools, recipient, behind, caller) : null;
  const addressed: YoungMeeting['recipient'] = recipient.minor
    ? { isAi: !recipient.person, seenWhole: seesMinor(recipient, behind, caller) }
    : null;
  const family = (sender?.seenWhole ?? true) && (addressed?.seenWhole ?? true);
  const shareGroup = !family && (await share(tools, caller, behind, call));
  requireYoungMayMeet({ sender, recipient: addressed, shareGroup });
  return family;
}

/** The caller, who is under 18 or an AI of somebody who is, as the recipient sees them. */
async function senderSide(
  { people }: LandTools,
  recipient: Correspondent,
  behind: string,
  caller: Caller,
): Promise<NonNullable<YoungMeeting['sender']>> {
  const child = personOf(caller) ?? caller.id;
  const facts = await people.findOne(child);
  const viewer = { app: '', person: behind, id: recipient.id };
  return {
    isAi: caller.kind === callerKinds.AI,
    seenWhole: facts !== null && seesMinor(facts, child, viewer),
  };
}
