import { nowDate } from '@hearth/clock';
import type { Context } from '../context.ts';
import { takeDueNotices } from '../db/request-notices.ts';
import { newRequestsNotice } from '../domain/events.ts';

const batch = 100;

/** Tells people once a day how many new requests wait for them, never from whom or what they say. */
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
