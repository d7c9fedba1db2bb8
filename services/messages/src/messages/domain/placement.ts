import { forbidden, type HearthError } from '@hearth/errors';
import type { Reached } from '@hearth/proto/approvals/v1/request_rules';
import { Box, Delivery } from '@hearth/proto/messages/v1/messages';

/** How a message is handled, and where it lies for its recipient. */
export interface Placement {
  box: Box;
  delivery: Delivery;
  /** uuid of the first to see it, when that is not the recipient: the AI at the front door, the guardian. */
  holder: string | null;
  /** RequestKind as which the sender counts for the recipient, when it is another than the sender said. */
  countsAs: number | null;
  /** It waits, and wakes no one. */
  quiet: boolean;
}

const plain = { holder: null, countsAs: null, quiet: false };

export const inInbox: Placement = { ...plain, box: Box.INBOX, delivery: Delivery.DELIVERED };

/** The contact policy's answer for one message: `how` is inbox, requests, front_door or declined. */
export type PolicyAnswer = Pick<Reached, 'how' | 'frontDoor' | 'guardian' | 'kind' | 'quiet'>;

/** A declined message stands with the sent messages of its sender, and nowhere else. */
export function placementOf(
  { how, frontDoor, guardian, kind, quiet }: PolicyAnswer,
  said: number,
): Placement {
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

const deliveries: Partial<Record<Box, Delivery>> = {
  [Box.REQUESTS]: Delivery.REQUESTED,
  [Box.FRONT_DOOR]: Delivery.FRONT_DOOR,
  [Box.SENT]: Delivery.DECLINED,
};

/** How a message was handled that lies in this box for its recipient. */
export function deliveryOf(box: Box): Delivery {
  return deliveries[box] ?? Delivery.DELIVERED;
}

/** The recipient does not take messages of the sender. The words are the same whatever the reason. */
export function turnedAway(): HearthError {
  return forbidden('this address does not take messages from you', { code: 'turned_away' });
}
