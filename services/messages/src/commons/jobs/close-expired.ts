import { nowDate } from '@hearth/clock';
import { CommonsClosing } from '@hearth/proto/messages/v1/commons';
import { closeByItself } from '../actions/close-by-itself.ts';
import type { Context } from '../context.ts';
import { listExpired } from '../db/posts.ts';

const batch = 200;

/** Closes expired posts, which readers already see as closed. */
export async function closeExpired(context: Context): Promise<void> {
  for (;;) {
    const ids = await listExpired(context.database.db, nowDate(context.clock), batch);
    for (const id of ids) await closeByItself(context, id, CommonsClosing.EXPIRED);
    if (ids.length < batch) return;
  }
}
