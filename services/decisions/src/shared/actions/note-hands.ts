import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { UnitOfWork } from '@hearth/outbox';
import { isMinor } from '@hearth/people';
import type { Host, ReceivedEvent } from '@hearth/runtime';
import { type Hands, noteHands } from '../db/hands.ts';

/** An AI's change of owner, and its owner by the newest known change. */
export interface Change {
  /** uuid */
  ai: string;
  /** uuid of the person who claimed it, or of the previous owner. */
  person: string;
  claimed: boolean;
  now: Hands;
  /** Time of this change, and whether it is the newest known. */
  at: Date;
  newest: boolean;
  /** Whether the claimer is under 18; the AI then has no owner here. */
  minor: boolean;
}

/**
 * Records the AI's owner if the event changes it; null for other events. Repeated and reordered events are
 * fine: earlier work belongs to the newest owner.
 *
 * @param move runs in the same transaction
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
  // A deleted account owns nothing.
  const owned = { ai: hands.ai, person: owner?.id ?? null, minor };
  return await commit(async (tx) => {
    const now = await noteHands(tx, owned, at);
    const change = { ...hands, now, at, newest: now.at.getTime() <= at.getTime(), minor };
    await move?.(tx, change);
    return change;
  });
}

/** Null for other events. */
function handsOf({ data }: ReceivedEvent['event']): Pick<Change, 'ai' | 'person' | 'claimed'> | null {
  if (data.case === 'aiUnclaimed' && data.value.ai !== undefined)
    return { ai: data.value.ai.id, person: data.value.owner, claimed: false };
  if (data.case !== 'aiClaimed' || data.value.status !== 'claimed' || data.value.ai === undefined)
    return null;
  return { ai: data.value.ai.id, person: data.value.person, claimed: true };
}
