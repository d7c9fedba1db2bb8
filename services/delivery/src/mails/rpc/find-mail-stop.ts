import { notFound } from '@hearth/errors';
import type { MailsService } from '@hearth/proto/delivery/v1/mails';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findStopped } from '../db/mail-stops.ts';
import { readStopKey } from '../domain/mail-keys.ts';

/** Serves the page behind a mail's unsubscribe link. */
export const findMailStop =
  ({ database, sealer }: Context): UnaryHandler<typeof MailsService.method.findMailStop> =>
  async ({ key }) => {
    const address = readStopKey(sealer, key);
    if (address === null) throw notFound();
    return { stopped: (await findStopped(database.db, [address])).size > 0 };
  };
