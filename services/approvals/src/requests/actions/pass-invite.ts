import { create } from '@bufbuild/protobuf';
import { forbidden } from '@hearth/errors';
import {
  type Approval,
  ApprovalKind,
  ApprovalSchema,
  ApprovalStatus,
} from '@hearth/proto/approvals/v1/approvals';
import { type Call, callerKinds } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findWaiting } from './find-waiting.ts';
import { fromInvitation, showRequests } from './show-requests.ts';

/**
 * The AI at the front door passes an invite on to the requests of its person. The invite is shown as an approval.
 *
 * @throws not_found for an item that does not wait for the caller; forbidden for one that did not come to the front door
 */
export async function passInvite(context: Context, id: string, note: string, call: Call): Promise<Approval> {
  const found = await findWaiting(context, id, call);
  const { caller } = call;
  if (found.type !== 'invite' || caller.kind !== callerKinds.AI)
    throw forbidden('this did not come to you at the front door of your person');
  const { invitation } = found;
  await context.invitations.passInvitation({ id: invitation.id, note }, { call });
  const [entry] = await showRequests(context.people, [fromInvitation(invitation)], caller);
  const { title = '', from = '', fromName = '', at, expiresAt } = entry!;
  return create(ApprovalSchema, {
    id,
    kind: ApprovalKind.INVITE,
    status: ApprovalStatus.WAITING,
    title,
    from,
    fromName,
    nameVerified: true,
    ...(at !== undefined && { at }),
    ...(expiresAt !== undefined && { expiresAt }),
    toYou: false,
  });
}
