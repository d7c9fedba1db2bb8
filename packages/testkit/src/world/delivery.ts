import { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import { type Fake, fake } from '../fake-peers.ts';

export function deliveryFakes(): Fake[] {
  return [fake(DeliveryService, { sendMail: async () => ({}) })];
}
