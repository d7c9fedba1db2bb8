import type { Context } from '../context.ts';
import { type OpenPlace, openAtDoor } from '../db/open-recipients.ts';
import { moveRecipient } from '../db/recipients.ts';
import { noticesOf } from '../domain/events.ts';
import { approvalsTopic } from '../domain/topics.ts';
import { changeUnsettled } from './change-approval.ts';

const batch = 200;

/**
 * Passes asks from an AI at the front door to their people, and notifies them: without the AI they look themselves.
 *
 * @param keeps uuid of the person at whose front door the AI still is; null for no one
 */
export async function passFromDoor(context: Context, ai: string, keeps: string | null): Promise<void> {
  for (;;) {
    const places = await openAtDoor(context.database.db, ai, keeps, batch);
    for (const place of places) await pass(context, ai, place);
    if (places.length < batch) return;
  }
}

async function pass(
  context: Context,
  ai: string,
  { approval: id, position, person: to }: OpenPlace & { person: string },
): Promise<void> {
  const person = await context.people.findOne(to);
  await changeUnsettled(context, id, async (approval, recipients, tx) => {
    const place = recipients.find((one) => one.position === position);
    if (place?.owner !== ai || place.person !== to) return null;
    await moveRecipient(tx, place, { owner: to, box: 'requests' });
    tx.announce(...noticesOf(approval, person === null ? [] : [{ person, child: null }]));
    tx.wake(approvalsTopic(to));
    return null;
  });
}
