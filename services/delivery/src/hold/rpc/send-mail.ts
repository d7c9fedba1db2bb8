import type { DeliveryService } from '@hearth/proto/delivery/v1/delivery';
import type { Handlers } from '@hearth/rpc';
import type { Mailer } from '../actions/mailer.ts';
import { readMail } from '../domain/mail.ts';

/** Answers when the mail was taken, or gives it up when the caller stops waiting. */
export function createSendMail(mailer: Mailer): Handlers<typeof DeliveryService>['sendMail'] {
  return async function sendMail(request, call) {
    await mailer.send(readMail(request), call.signal);
    return {};
  };
}
