/** Something on its way or there, as the home answers it. */
export interface Delivery {
  id: string;
  destination: string;
  kind: DeliveryKind;
  type: string;
  at: string;
  status: DeliveryStatus;
  attempt_count: number;
  last_error?: string;
  next_attempt_at?: string;
  attempts?: { at: string; status?: number; ms: number; error?: string }[];
}

export type DeliveryKind = 'app' | 'subscription' | 'mail' | 'callback';

export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const deliveryStatuses = ['waiting', 'delivered', 'failed', 'not_sent'] as const;

/** An address that is sent to, as the home answers it. */
export interface Destination {
  id: string;
  kind: DeliveryKind;
  origin?: string;
  status: (typeof destinationStatuses)[number];
  owner: string;
  event?: string;
  waiting: number;
  failing_since?: string;
  last_error?: string;
  last_delivery_at?: string;
  stopped_since?: string;
}

export const destinationStatuses = ['active', 'failing', 'suspended', 'disabled'] as const;

/** To the second, as people read it. */
export const shortMoment = (text: string | undefined) =>
  text === undefined ? '-' : text.replace(/(?:\.\d+)?Z$/, 'Z');
