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
 * The AI at the front door passes an item on to the requests of its person. The item is shown as an approval.
 *
 * @throws not_found for an item that does not wait for the caller; forbidden for one that did not come to the front door
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
 * Says what kind of request a waiting item is: its sender counts as that kind from then on. Where the person's rule for the
 * kind lets nothing in it is declined: politely, or silently where the rule turns away.
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
