import type { OutboxRow } from '@hearth/outbox';
import type { Event } from '@hearth/proto/events/v1/events';
import { Scope } from '@hearth/proto/options';
import { anyone } from '@hearth/rpc';
import { approvalsTopic } from '../../shared/domain/topics.ts';
import type { Context } from '../context.ts';
import { openAtDoor } from '../db/open-recipients.ts';
import { moveRecipient } from '../db/recipients.ts';
import { personNotified } from '../domain/events.ts';
import { noticesFor } from '../domain/notices.ts';
import { changedAis } from '../domain/received-events.ts';
import { changeUnsettled } from './change-approval.ts';
import { askPath } from './receipt.ts';

const batch = 200;

/** What waits at a front door goes to the person, once the AI there is theirs no more, or may not send messages. */
export async function followDoors(context: Context, events: readonly Event[]): Promise<void> {
  const { database, peers } = context;
  for (const ai of changedAis(events)) {
    if ((await openAtDoor(database.db, ai, null, 1)).length === 0) continue;
    const { results } = await peers.ais.findAis({ ids: [ai] }, { caller: anyone });
    const facts = results[0]?.facts;
    const isOpen = facts !== undefined && !facts.revoked && facts.permissions.includes(Scope.MESSAGE);
    await passAll(context, ai, isOpen ? facts.owner || null : null);
  }
}

/**
 * Without an AI at the door people see themselves what waits there, and are told of it.
 *
 * @param keeps uuid of the person for whom the AI is at the door still; null for nobody
 */
export async function passAll(context: Context, ai: string, keeps: string | null): Promise<void> {
  for (;;) {
    const places = await openAtDoor(context.database.db, ai, keeps, batch);
    for (const place of places) await pass(context, ai, place);
    if (places.length < batch) return;
  }
}

async function pass(
  context: Context,
  ai: string,
  { approval: id, position, person: to }: { approval: string; position: number; person: string },
): Promise<void> {
  const { outbox, people } = context;
  const person = await people.findOne(to);
  let events: OutboxRow[] = [];
  await changeUnsettled(context, id, async (approval, recipients, tx) => {
    const place = recipients.find((one) => one.position === position);
    if (place?.owner !== ai || place.person !== to) return null;
    await moveRecipient(tx, place, { owner: to, box: 'requests' });
    const told = person === null ? [] : [{ person, child: null }];
    events = noticesFor(approval, told, askPath(id)).map((notice) =>
      personNotified(outbox, notice, undefined),
    );
    if (events.length > 0) await outbox.announce(tx, events);
    return null;
  });
  if (events.length > 0) outbox.committed(events);
  outbox.wake([approvalsTopic(to)]);
}
