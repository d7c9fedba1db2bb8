import { CallbacksService } from '@hearth/proto/delivery/v1/callbacks';
import { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import { MailsService } from '@hearth/proto/delivery/v1/mails';
import { type Fake, fake } from '../fake-peers.ts';

export function deliveryFakes(): Fake[] {
  return [
    fake(DeliveryService, { sendMail: async () => ({}) }),
    fake(MailsService, { resumeMails: async () => ({}) }),
    fake(CallbacksService, { verifyCallback: async () => ({}) }),
  ];
}
