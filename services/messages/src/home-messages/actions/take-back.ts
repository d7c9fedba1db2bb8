import type { HomeItem } from '@hearth/proto/federation/v1/items';
import { takeBack as takeBackHere } from '../../shared/actions/take-back.ts';
import { lockMailboxes } from '../../shared/db/mailboxes.ts';
import { findMessage } from '../../shared/db/messages.ts';
import { findReceived } from '../../shared/db/remote-ids.ts';
import { closing } from '../../shared/domain/items.ts';
import type { Context } from '../context.ts';

/** Retracts the unread copies of the message with the item's reference; read ones stay. */
export async function takeBack({ clock, commit, database, items }: Context, item: HomeItem): Promise<void> {
  const { id: reference } = JSON.parse(item.bodyJson);
  for (const { id, recipient } of await findReceived(database.db, String(reference))) {
    const waited = await commit(async (tx) => {
      await lockMailboxes(tx, recipient);
      const message = await findMessage(tx, recipient, id);
      if (message === null || message.read_at !== null || message.retracted_at !== null) return false;
      return await takeBackHere(tx, message, new Date(clock.now()));
    });
    if (waited) await items.note(closing([{ id }]));
  }
}
