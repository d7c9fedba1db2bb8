import type { MailsService } from '@hearth/proto/delivery/v1/mails';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { deleteStop } from '../db/mail-stops.ts';
import { addressId } from '../domain/mail-keys.ts';

/** Signing in with an address undoes its unsubscribe: the owner wants to hear what is waiting. */
export const resumeMails =
  ({ database, sealer }: Context): UnaryHandler<typeof MailsService.method.resumeMails> =>
  async ({ email }) => {
    await database.statement((tx) => deleteStop(tx, addressId(sealer, email)));
    return {};
  };
