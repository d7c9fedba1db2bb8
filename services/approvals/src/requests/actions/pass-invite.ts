import { create } from '@bufbuild/protobuf';
import { forbidden } from '@hearth/errors';
import {
  type Approval,
  ApprovalKind,
  ApprovalSchema,
  ApprovalStatus,
} from '@hearth/proto/approvals/v1/approvals';
import { type Call, callerKinds } from '@hearth/rpc';
import type { RequestsContext } from '../context.ts';
import { findWaiting } from './find-waiting.ts';
import { showRequests } from './show-requests.ts';

type Parts = Pick<RequestsContext, 'clock' | 'database' | 'invitations' | 'messages' | 'people'>;

/**
 * The AI at the front door passes an invite on to its person, in whose requests it waits from then on. It is shown as the
 * approval that it is like.
 *
 * @throws not_found for what does not wait for the caller; forbidden for what did not come to the front door
 */
export async function passInvite(context: Parts, id: string, note: string, call: Call): Promise<Approval> {
  const found = await findWaiting(context, id, call);
  const { caller } = call;
  if (found.type !== 'invite' || caller.kind !== callerKinds.AI)
    throw forbidden('this did not come to you at the front door of your person');
  await context.invitations.passInvitation({ id: found.invitation.id, note }, { call });
  const passed = {
    type: 'invite',
    at: new Date(0),
    id: found.invitation.id,
    invitation: found.invitation,
  } as const;
  const [entry] = await showRequests(context.people, [passed], caller);
  return create(ApprovalSchema, {
    id,
    kind: ApprovalKind.INVITE,
    status: ApprovalStatus.WAITING,
    title: entry?.title ?? '',
    from: entry?.from ?? '',
    fromName: entry?.fromName ?? '',
    nameVerified: true,
    ...(entry?.at !== undefined && { at: entry.at }),
    ...(entry?.expiresAt !== undefined && { expiresAt: entry.expiresAt }),
    toYou: false,
  });
}
