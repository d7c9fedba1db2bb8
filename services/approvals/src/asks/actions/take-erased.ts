import type { HomeItem } from '@hearth/proto/federation/v1/items';
import type { Context } from '../context.ts';
import { findByReference } from '../db/approvals.ts';
import { deleteAsk } from '../db/home-places.ts';
import { approvalsTopic, approvalTopic } from '../domain/topics.ts';

/** Deletes an ask that its home erased, unless it was answered: then it stays with its record. */
export async function takeErased({ approvals, database }: Context, item: HomeItem): Promise<void> {
  const { id: reference } = JSON.parse(item.bodyJson) as { id: string };
  const id = await findByReference(database.db, reference);
  if (id === null) return;
  await approvals.locked(id, async (tx, { approval, recipients }) => {
    if (approval.status === 'approved' || approval.status === 'declined') return;
    await deleteAsk(tx, id);
    const owners = recipients.flatMap(({ owner }) => owner ?? []);
    tx.wake(approvalTopic(id), ...owners.map(approvalsTopic));
  });
}
