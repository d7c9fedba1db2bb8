import { nowDate } from '@hearth/clock';
import { notFound } from '@hearth/errors';
import type { MailsService } from '@hearth/proto/delivery/v1/mails';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { deleteStop, insertStop } from '../db/mail-stops.ts';
import { readStopKey } from '../domain/mail-keys.ts';

export const setMailStop =
  ({ clock, database, sealer }: Context): UnaryHandler<typeof MailsService.method.setMailStop> =>
  async ({ key, stopped }) => {
    const address = readStopKey(sealer, key);
    if (address === null) throw notFound();
    await database.statement((tx) =>
      stopped ? insertStop(tx, address, nowDate(clock)) : deleteStop(tx, address),
    );
    return {};
  };
