import { forbidden, type HearthError } from '@hearth/errors';
import { Box, Delivery } from '@hearth/proto/messages/v1/messages';

export interface Landing {
  box: Box;
  delivery: Delivery;
  /** uuid of who sees it first, when that is not the recipient: the AI at the front door, the guardian. */
  holder: string | null;
  /** RequestKind as which the sender counts for the recipient, when it is another than the sender said. */
  countsAs: number | null;
  /** It waits, and nobody is woken for it. */
  quiet: boolean;
}

const plain = { holder: null, countsAs: null, quiet: false };

export const inInbox: Landing = { ...plain, box: Box.INBOX, delivery: Delivery.DELIVERED };

/** How a message reaches somebody; a Reached has it. */
export interface ReachedHow {
  /** inbox, requests, front_door or declined */
  how: string;
  frontDoor: string;
  guardian: string;
  kind: number;
  quiet: boolean;
}

/** What is declined stands with what the sender sent, and nowhere else. */
export function landingOf({ how, frontDoor, guardian, kind, quiet }: ReachedHow, said: number): Landing {
  const countsAs = kind === said || kind === 0 ? null : kind;
  switch (how) {
    case 'inbox':
      return inInbox;
    case 'front_door':
      return { ...plain, box: Box.FRONT_DOOR, delivery: Delivery.FRONT_DOOR, holder: frontDoor, countsAs };
    case 'declined':
      return { ...plain, box: Box.SENT, delivery: Delivery.DECLINED };
    default:
      return {
        box: Box.REQUESTS,
        delivery: Delivery.REQUESTED,
        holder: guardian === '' ? null : guardian,
        countsAs,
        quiet,
      };
  }
}

/** How a message was handled that lies in that box for its recipient. */
export function deliveryOf(box: Box): Delivery {
  switch (box) {
    case Box.REQUESTS:
      return Delivery.REQUESTED;
    case Box.FRONT_DOOR:
      return Delivery.FRONT_DOOR;
    case Box.SENT:
      return Delivery.DECLINED;
    default:
      return Delivery.DELIVERED;
  }
}

/** What whoever is declined reads. */
export const politeNo = 'Thank you for writing. This is not for me at the moment, so I will not take it up.';

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
