import type { Context } from '../context.ts';
import { addPlaces } from '../db/recipients.ts';
import { noticesOf } from '../domain/events.ts';
import { approvalsTopic } from '../domain/topics.ts';
import { announceAsk } from './announce-ask.ts';
import { type AskContent, askRows, recipientRow } from './ask-rows.ts';
import { changeUnsettled } from './change-approval.ts';
import type { Asker } from './find-asker.ts';
import { remove } from './move-places.ts';
import type { Placement } from './place-recipients.ts';
import { writeAsk } from './write-ask.ts';

/**
 * Asks these people. An earlier ask with the same id is continued with them: former recipients are dropped,
 * new ones added. Idempotent.
 */
export async function askThese(
  context: Context,
  content: AskContent,
  asker: Asker,
  placements: readonly Placement[],
  caller?: Parameters<typeof announceAsk>[3],
): Promise<void> {
  const rows = askRows(context, content, asker, placements);
  const events = await announceAsk(context, rows, placements, caller);
  if ((await writeAsk(context, rows, events)) !== null) return;
  const facts = await context.people.find(placements.flatMap(({ person }) => person ?? []));
  await changeUnsettled(context, content.id, async (approval, recipients, tx) => {
    if (approval.status !== 'waiting') return null;
    const added = placements.filter(({ recipient: { id } }) =>
      recipients.every((recipient) => recipient.recipient !== id),
    );
    const first = Math.max(...recipients.map(({ position }) => position)) + 1;
    const places = added.map((placement, index) =>
      recipientRow(context.sealer, approval, placement, first + index),
    );
    if (places.length > 0) await addPlaces(tx, places);
    const notified = added.flatMap(({ person: id, guards }) => {
      const person = facts.get(id ?? '');
      return person === undefined ? [] : [{ person, child: guards }];
    });
    tx.announce(...noticesOf(approval, notified));
    tx.wake(...notified.map(({ person }) => approvalsTopic(person.id)));
    const gone = recipients.filter(
      ({ decision, recipient }) =>
        decision === 'waiting' && placements.every((placement) => placement.recipient.id !== recipient),
    );
    if (gone.length === 0) return null;
    return await remove(
      tx,
      approval,
      [...recipients, ...places],
      gone.map(({ position }) => position),
    );
  });
}
