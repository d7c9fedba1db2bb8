import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { UnitOfWork } from '@hearth/outbox';
import { isMinor } from '@hearth/people';
import type { Host, ReceivedEvent } from '@hearth/runtime';
import { type Hands, noteHands } from '../db/hands.ts';

/** An AI that changed hands, and whose it is by now. */
export interface Change {
  /** uuid */
  ai: string;
  /** uuid of the person who claimed it, or who owned it before. */
  person: string;
  claimed: boolean;
  now: Hands;
  /** When this change was, and whether no newer one is known. */
  at: Date;
  newest: boolean;
  /** The person who claimed it is under 18: the AI has no owner here. */
  minor: boolean;
}

/**
 * Notes whose an AI is where the event says so; null for every other event. Changes may come again, and in any order: what an AI
 * did before is with its newest owner.
 *
 * @param move what changes with the note, in the same transaction
 */
export async function noteChange(
  { clock, commit, people }: Pick<Host, 'clock' | 'commit' | 'people'>,
  { event }: ReceivedEvent,
  move?: (tx: UnitOfWork, change: Change) => Promise<void>,
): Promise<Change | null> {
  const hands = handsOf(event);
  if (hands === null) return null;
  const at = event.at === undefined ? new Date(clock.now()) : timestampDate(event.at);
  const owner = hands.claimed ? await people.findOne(hands.person) : null;
  const minor = owner !== null && isMinor(owner);
  // A person who is gone by now owns nothing.
  const person = owner === null || minor ? null : owner.id;
  return await commit(async (tx) => {
    const now = await noteHands(tx, hands.ai, { person, at });
    const change = { ...hands, now, at, newest: now.at.getTime() <= at.getTime(), minor };
    await move?.(tx, change);
    return change;
  });
}

/** Null for every other event. */
function handsOf({ data }: ReceivedEvent['event']): Pick<Change, 'ai' | 'person' | 'claimed'> | null {
  if (data.case === 'aiUnclaimed' && data.value.ai !== undefined)
    return { ai: data.value.ai.id, person: data.value.owner, claimed: false };
  if (data.case !== 'aiClaimed' || data.value.status !== 'claimed' || data.value.ai === undefined)
    return null;
  return { ai: data.value.ai.id, person: data.value.person, claimed: true };
}
