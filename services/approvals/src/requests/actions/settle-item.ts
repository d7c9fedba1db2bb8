import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { notFound } from '@hearth/errors';
import {
  type Approval,
  ApprovalKind,
  ApprovalSchema,
  ApprovalStatus,
  Needs,
  type RelabelRequestResponseSchema,
} from '@hearth/proto/approvals/v1/approvals';
import type { Call } from '@hearth/rpc';
import { refuses } from '../../contact-rules/module.ts';
import { kindValueOf, type RequestKindName } from '../../shared/domain/request-kinds.ts';
import type { Context } from '../context.ts';
import { writeAnswer } from './note-changes.ts';
import { showItems } from './show-items.ts';
import { waitingItem } from './waiting-item.ts';

/**
 * Passes an item from the AI at the front door on to its person's requests. Returns the item as an approval.
 *
 * @throws not_found for an item that does not wait for the caller; forbidden for an item that is not at the
 * front door
 */
export async function passItem(context: Context, id: string, note: string, call: Call): Promise<Approval> {
  const { kind, parts } = await waitingItem(context, id, call);
  const [entry] = await showItems(context, parts, call);
  if (entry === undefined) throw notFound();
  await kind.source.passItem({ keys: parts, note }, { call });
  const { title = '', from = '', fromName = '', at, expiresAt } = entry;
  return create(ApprovalSchema, {
    id,
    kind: ApprovalKind.INVITE,
    status: ApprovalStatus.WAITING,
    needs: Needs.ANY,
    title,
    from,
    fromName,
    nameVerified: true,
    ...(at !== undefined && { at }),
    ...(expiresAt !== undefined && { expiresAt }),
    toYou: false,
  });
}

/**
 * Changes the kind of a waiting item, and of later requests from its sender. If the person's rule for that
 * kind lets nothing in, the item is declined: politely, or silently for `turn_away`.
 *
 * @throws not_found for an item that does not wait for the caller
 */
export async function relabelItem(
  context: Context,
  { id, label }: { id: string; label: RequestKindName },
  call: Call,
): Promise<MessageInitShape<typeof RelabelRequestResponseSchema>> {
  const { rules } = context;
  const { kind, parts, senders } = await waitingItem(context, id, call);
  const [action = 'ask'] = await Promise.all(
    senders.map((sender) => rules.relabel(parts[0].owner, sender, label)),
  );
  const answer = { id, kind: kindValueOf(label) };
  if (refuses(action)) {
    await kind.source.declineItem({ keys: parts, silent: action === 'turn_away' }, { call });
    return { ...answer, status: 'declined' };
  }
  const { change } = await kind.source.relabelItem({ keys: parts, label }, { call });
  await writeAnswer(context, change);
  return { ...answer, status: 'waiting' };
}
