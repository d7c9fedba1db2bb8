import type { AiStatus } from '@hearth/proto/common/v1/caller';
import { Box, Delivery } from '@hearth/proto/messages/v1/messages';

export interface Landing {
  box: Box;
  delivery: Delivery;
}

/**
 * Where a message lands. An AI without an owner takes every message in its inbox: what it is sent is bounded
 * by its senders' own limits. Recipients with rules of their own come with the request rules.
 */
export function landing(_recipientStatus: AiStatus): Landing {
  return { box: Box.INBOX, delivery: Delivery.DELIVERED };
}

/** How a message was handled that lies in that box. */
export function deliveryOf(box: Box): Delivery {
  if (box === Box.REQUESTS) return Delivery.REQUESTED;
  return box === Box.FRONT_DOOR ? Delivery.FRONT_DOOR : Delivery.DELIVERED;
}
