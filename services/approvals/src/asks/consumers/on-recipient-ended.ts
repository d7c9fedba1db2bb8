import type { Event } from '@hearth/proto/events/v1/events';
import { changeUnsettled } from '../actions/change-approval.ts';
import { passAll } from '../actions/pass-from-door.ts';
import type { Context } from '../context.ts';
import { findOpenOfAskers } from '../db/approvals.ts';
import { type OpenPlace, openFromSender, openOfAis, openOfPeople } from '../db/open-recipients.ts';
import type { RecipientRow } from '../db/recipients.ts';
import { type Ended, endedIn } from '../domain/received-events.ts';

const batch = 200;

/** What follows when somebody who is asked is gone, or blocks who asked. Done again it changes nothing. */
export async function endRecipients(context: Context, events: readonly Event[]): Promise<void> {
  for (const ended of events.flatMap(endedIn)) await end(context, ended);
}

async function end(context: Context, ended: Ended): Promise<void> {
  const { db } = context.database;
  switch (ended.kind) {
    case 'person':
      await dropAll(context, () => openOfPeople(db, [ended.id], batch), 'recipient_gone');
      await cancelAll(context, ended.id);
      return;
    case 'ai':
      await dropAll(context, () => openOfAis(db, [ended.id], batch), 'recipient_gone');
      await passAll(context, ended.id, null);
      return;
    case 'blocked':
      await dropAll(context, () => openFromSender(db, ended.person, ended.sender, batch), 'blocked');
  }
}

/** They count as having declined; where they were the last, that settles it. */
async function dropAll(
  context: Context,
  find: () => Promise<OpenPlace[]>,
  why: NonNullable<RecipientRow['why']>,
): Promise<void> {
  await untilFew(find, async (places) => {
    for (const [approval, of] of Map.groupBy(places, (place) => place.approval)) {
      const positions = of.map(({ position }) => position);
      await changeUnsettled(context, approval, () => ({ act: { kind: 'drop', positions, why }, by: null }));
    }
  });
}

/** Nobody waits any more for the answers that they asked for. */
async function cancelAll(context: Context, person: string): Promise<void> {
  await untilFew(
    () => findOpenOfAskers(context.database.db, [person], batch),
    async (ids) => {
      for (const id of ids) await changeUnsettled(context, id, () => ({ act: { kind: 'cancel' }, by: null }));
    },
  );
}

async function untilFew<Item>(
  find: () => Promise<Item[]>,
  work: (items: Item[]) => Promise<void>,
): Promise<void> {
  let found: Item[];
  do {
    found = await find();
    await work(found);
  } while (found.length === batch);
}
