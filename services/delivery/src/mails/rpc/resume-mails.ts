import type { MailsService } from '@hearth/proto/delivery/v1/mails';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { deleteStop } from '../db/mail-stops.ts';
import { addressId } from '../domain/mail-keys.ts';

/** A sign-in by the owner of an address undoes the stop: they want to hear of what waits for them. */
export const resumeMails =
  ({ database, sealer }: Context): UnaryHandler<typeof MailsService.method.resumeMails> =>
  async ({ email }) => {
    await database.statement((tx) => deleteStop(tx, addressId(sealer, email)));
    return {};
  };
