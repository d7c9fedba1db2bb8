import { forbidden, type HearthError } from '@hearth/errors';
import type { Reached } from '@hearth/proto/approvals/v1/request_rules';
import { Box, Delivery } from '@hearth/proto/messages/v1/messages';
import type { MessageRow } from '../../shared/db/message-row.ts';
import { isElsewhere } from '../../shared/domain/stored-address.ts';

/** How a message is handled, and the recipient's box. */
export interface Placement {
  box: Box;
  delivery: Delivery;
  /**
   * uuid of whoever sees it before the recipient: the AI at the front door or the guardian. Null if no one
   * does.
   */
  holder: string | null;
  /** The RequestKind that the recipient assigns to the sender; null if the sender's own claim applies. */
  countsAs: number | null;
  /** Whether it wakes no one. */
  quiet: boolean;
}

const plain = { holder: null, countsAs: null, quiet: false };

export const inInbox: Placement = { ...plain, box: Box.INBOX, delivery: Delivery.DELIVERED };

/** The recipient's home chooses the box. */
export const elsewhere: Placement = { ...plain, box: Box.INBOX, delivery: Delivery.HELD };

/** The contact policy's answer for one message; `how` is inbox, requests, front_door or declined. */
export type PolicyAnswer = Pick<Reached, 'how' | 'frontDoor' | 'guardian' | 'kind' | 'quiet'>;

/** A declined message appears only in the sender's sent messages. */
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

/** How a message in this box was handled; for a remote recipient, how far it got. */
export function deliveryOf({
  box,
  recipient_address,
  delivery,
}: Pick<MessageRow, 'box' | 'recipient_address' | 'delivery'>): Delivery {
  if (isElsewhere(recipient_address)) return delivery ?? Delivery.HELD;
  return deliveries[box as Box] ?? Delivery.DELIVERED;
}

/** The recipient refuses the sender; the words are the same whatever the reason. */
export function turnedAway(): HearthError {
  return forbidden('this address does not take messages from you', { code: 'turned_away' });
}
