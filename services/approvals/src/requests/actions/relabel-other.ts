import type { MessageInitShape } from '@bufbuild/protobuf';
import type { RelabelRequestResponseSchema } from '@hearth/proto/approvals/v1/approvals';
import type { Call } from '@hearth/rpc';
import { refuses } from '../../contact-rules/module.ts';
import { kindValueOf, type RequestKindName } from '../../shared/domain/request-kinds.ts';
import type { Context } from '../context.ts';
import { findWaiting } from './find-waiting.ts';

/**
 * Says what kind of request a waiting message or invite is. Where the person's rule for the kind lets nothing in it is
 * declined: politely, or silently where the rule turns away.
 *
 * @throws not_found for an item that does not wait for the caller
 */
export async function relabelOther(
  context: Context,
  { id, kind: name }: { id: string; kind: RequestKindName },
  call: Call,
): Promise<MessageInitShape<typeof RelabelRequestResponseSchema>> {
  const { invitations, messages, rules } = context;
  const found = await findWaiting(context, id, call);
  const { person, holders } = found.viewer;
  const kind = kindValueOf(name);
  const waiting = { id, kind, status: 'waiting' };
  const declined = { id, kind, status: 'declined' };
  if (found.type === 'approval') return waiting;
  if (found.type === 'invite') {
    const { createdBy, createdByPerson, id: invite, person: invited } = found.invitation;
    const [action = 'ask'] = await Promise.all(
      // An AI that made it counts as that kind together with its organizer.
      [...new Set([createdByPerson, createdBy])].map((sender) =>
        rules.relabel(invited || person, sender, name),
      ),
    );
    if (!refuses(action)) return waiting;
    await invitations.declineInvitation({ id: invite, silent: action === 'turn_away' }, { call });
    return declined;
  }
  const { message } = found;
  const thread = { viewer: { person, holders }, message: message.id };
  const action = await rules.relabel(message.person, message.sender, name);
  if (!refuses(action)) {
    await messages.relabelThread({ ...thread, kind: kind as number }, { call });
    return waiting;
  }
  await messages.declineThread({ ...thread, silent: action === 'turn_away' }, { call });
  return declined;
}
