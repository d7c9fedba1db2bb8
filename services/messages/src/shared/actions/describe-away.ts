import { type HomeNames, parseAddress, printFullAddress, printReference } from '@hearth/addresses';
import type { Database } from '@hearth/db';
import { printId } from '@hearth/ids';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import type { Profile } from '@hearth/proto/identity/v1/identity';
import { findOnItsWay } from '../db/on-its-way.ts';
import { findReferences } from '../db/remote-ids.ts';
import type { Away } from '../domain/away.ts';
import { statusNames, toSenderStatus } from '../domain/sender-status.ts';

interface Sources {
  database: Pick<Database, 'db'>;
  homeNames: HomeNames;
  profileOf(id: string): Promise<Profile | null>;
}

/** The local sender of a message to another home. */
export interface AwaySender {
  /** uuid */
  id: string;
  ai: boolean;
  name: string;
  /** For an AI. */
  aiStatus: AiStatus;
}

/** uuids of the thread, and of the message being answered. */
interface ThreadPosition {
  thread: string;
  /** Whether the message begins the thread, so that no other home has a reference to it. */
  begins?: boolean;
  replyTo: string | null;
}

/** Describes a message to another home: its sender, and the thread as both homes know it. */
export async function describeAway(
  sources: Sources,
  sender: AwaySender,
  { thread, begins = false, replyTo }: ThreadPosition,
): Promise<Away> {
  const { database, homeNames } = sources;
  const ids = [...(begins ? [] : [thread]), ...(replyTo === null ? [] : [replyTo])];
  const known = ids.length === 0 ? new Map<string, string>() : await findReferences(database.db, ids);
  const referenceOf = (prefix: 'thr' | 'msg', id: string) =>
    known.get(id) ?? printReference({ home: homeNames.ownHome, id: printId(prefix, id) });
  return {
    after: begins ? null : await findOnItsWay(database.db, thread, sender.id),
    sender: await describeSender(sources, sender),
    thread: referenceOf('thr', thread),
    replyTo: replyTo === null ? null : referenceOf('msg', replyTo),
  };
}

/** The sender as this home vouches for them; a private owner is not named. */
async function describeSender({ homeNames, profileOf }: Sources, { id, ai, name, aiStatus }: AwaySender) {
  const described = {
    id: printId(ai ? 'ai' : 'per', id),
    kind: ai ? 'ai' : 'person',
    name,
    name_verified: !ai || aiStatus === AiStatus.CLAIMED,
    status: statusNames.nameOf(toSenderStatus(ai ? aiStatus : AiStatus.UNSPECIFIED)),
  };
  // Owner fields only accompany the status `claimed`, even if the AI has changed since.
  if (described.status !== 'claimed') return described;
  const self = await profileOf(id);
  if (self === null || self.owner === '') return { ...described, owner_private: true };
  const owner = self.ownerPrivate ? null : await profileOf(self.owner);
  const address = owner && parseAddress(owner.address);
  if (!address) return { ...described, owner_private: true };
  return { ...described, owner: { address: printFullAddress(address, homeNames.ownHome), name: owner.name } };
}
