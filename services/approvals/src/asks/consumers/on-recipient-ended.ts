import type { Event } from '@hearth/proto/events/v1/events';
import type { ReceivedEvent } from '@hearth/runtime';
import { changeUnsettled } from '../actions/change-approval.ts';
import { passFromDoor } from '../actions/pass-from-door.ts';
import type { Context } from '../context.ts';
import { findOpenOfAskers } from '../db/approvals.ts';
import { type OpenPlace, openFromSender, openOfAis, openOfPeople } from '../db/open-recipients.ts';
import type { Why } from '../domain/machine.ts';

const batch = 200;

/** Declines asks to people and AIs that are gone, and to people who block the asker. Repeated it changes nothing. */
export const onRecipientEnded = (context: Context) => ({
  durable: 'ends',
  types: ['account_deleted', 'ai_revoked', 'blocked'],
  async handle(received: readonly ReceivedEvent[]) {
    for (const { event } of received) await end(context, event.data);
  },
});

async function end(context: Context, data: Event['data']): Promise<void> {
  const { db } = context.database;
  switch (data.case) {
    case 'accountDeleted':
      for (const person of data.value.deleted) {
        await dropAll(context, 'recipient_gone', () => openOfPeople(db, [person], batch));
        await cancelAll(context, person);
      }
      return;
    case 'aiRevoked': {
      const { ai } = data.value;
      await dropAll(context, 'recipient_gone', () => openOfAis(db, [ai], batch));
      await passFromDoor(context, ai, null);
      return;
    }
    case 'blocked': {
      const { person, targetId } = data.value;
      // No asks from an address elsewhere, or a whole home, wait here yet.
      if (targetId !== '')
        await dropAll(context, 'blocked', () => openFromSender(db, person, targetId, batch));
    }
  }
}

/** They count as having declined; where they were the last recipients, that settles the ask. */
async function dropAll(context: Context, why: Why, find: () => Promise<OpenPlace[]>): Promise<void> {
  await untilFew(find, async (places) => {
    for (const [approval, of] of Map.groupBy(places, (place) => place.approval)) {
      const positions = of.map(({ position }) => position);
      await changeUnsettled(context, approval, () => ({ act: { kind: 'drop', positions, why }, by: null }));
    }
  });
}

/** No one waits any more for the answers to the asks of this person. */
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
