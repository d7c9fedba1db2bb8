import { forbidden, type HearthError } from '@hearth/errors';
import { Box, Delivery } from '@hearth/proto/messages/v1/messages';

export interface Landing {
  box: Box;
  delivery: Delivery;
}

/** How the two sides of a message stand to each other. */
export interface Acquaintance {
  /** The same person stands behind both. */
  samePerson: boolean;
  /** Their people share a group. */
  shareGroup: boolean;
  /** The recipient wrote to the sender before. */
  answered: boolean;
}

export const inInbox: Landing = { box: Box.INBOX, delivery: Delivery.DELIVERED };

/**
 * Where a message to a person, or to an AI that a person owns, lands: what comes from strangers waits quietly with the
 * person's requests until they answer. An AI without an owner has no requests: see `inInbox`.
 */
export function landing({ samePerson, shareGroup, answered }: Acquaintance): Landing {
  if (samePerson || shareGroup || answered) return inInbox;
  return { box: Box.REQUESTS, delivery: Delivery.REQUESTED };
}

/** How a message was handled that lies in that box. */
export function deliveryOf(box: Box): Delivery {
  if (box === Box.REQUESTS) return Delivery.REQUESTED;
  return box === Box.FRONT_DOOR ? Delivery.FRONT_DOOR : Delivery.DELIVERED;
}

const boxWords: Readonly<Partial<Record<Box, string>>> = {
  [Box.REQUESTS]: 'requests',
  [Box.FRONT_DOOR]: 'front_door',
};

/** As events name it. */
export function boxWord(box: Box): string {
  return boxWords[box] ?? 'inbox';
}

/** What an address answers that does not take messages of the sender: nobody can tell why. */
export function turnedAway(): HearthError {
  return forbidden('this address does not take messages from you', { code: 'turned_away' });
}

/** Somebody under 18 on one side or both. */
export interface YoungMeeting {
  /** Null for a grown-up sender. `isAi`: an AI of theirs writes. `seenWhole`: the recipient sees them as they are. */
  sender: { isAi: boolean; seenWhole: boolean } | null;
  /** Null for a grown-up recipient. `isAi`: it goes to an AI of theirs. `seenWhole`: the sender sees them as they are. */
  recipient: { isAi: boolean; seenWhole: boolean } | null;
  /** Their people share a group. */
  shareGroup: boolean;
}

/**
 * Somebody under 18 writes with their guardians and with people of their groups alone; an AI of theirs, whose address
 * holds their handle, with those alone who see them as they are.
 *
 * @throws forbidden, to a grown-up sender worded like every other way of being turned away
 */
export function requireYoungMayMeet({ sender, recipient, shareGroup }: YoungMeeting): void {
  if (sender !== null && !sender.seenWhole) {
    if (sender.isAi) {
      throw forbidden('an AI of somebody under 18 writes to its person and their guardians alone');
    }
    if (!shareGroup) {
      throw forbidden('somebody under 18 writes to their guardians and to people of their groups alone');
    }
  }
  if (recipient === null || recipient.seenWhole) return;
  if (recipient.isAi || !shareGroup) throw turnedAway();
}
