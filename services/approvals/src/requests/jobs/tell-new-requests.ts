import { nowDate } from '@hearth/clock';
import type { Context } from '../context.ts';
import { takeDueNotices } from '../db/request-notices.ts';
import { newRequestsNotice } from '../domain/events.ts';

const batch = 100;

/** Notifies people at most once a day of the number of new requests, without senders or content. */
export async function tellNewRequests({ clock, commit }: Context): Promise<void> {
  let found: number;
  do {
    found = await commit(async (tx) => {
      const due = await takeDueNotices(tx, nowDate(clock), batch);
      tx.announce(...due.filter(({ count }) => count > 0).map(newRequestsNotice));
      return due.length;
    });
  } while (found === batch);
}
