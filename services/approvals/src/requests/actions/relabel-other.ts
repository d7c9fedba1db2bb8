import type { MessageInitShape } from '@bufbuild/protobuf';
import type { RelabelRequestResponseSchema } from '@hearth/proto/approvals/v1/approvals';
import type { Call } from '@hearth/rpc';
import type { RuleAction } from '../../contact-rules/domain/rules.ts';
import { kindNumber, type RequestKindWord } from '../../shared/domain/request-kinds.ts';
import type { RequestsContext } from '../context.ts';
import { findWaiting } from './find-waiting.ts';

type Parts = Pick<RequestsContext, 'clock' | 'database' | 'invitations' | 'messages'>;
type Answer = MessageInitShape<typeof RelabelRequestResponseSchema>;

/**
 * Says of a message or an invite that waits what kind of request it is. Where the person's rule for the kind lets nothing
 * in it is declined: with a polite no, or silently where the rule turns away.
 *
 * @param relabel notes it for that person and sender, and answers what the rule for the kind does
 * @throws not_found for what does not wait for the caller
 */
export async function relabelOther(
  context: Parts,
  relabel: (person: string, sender: string, kind: RequestKindWord) => Promise<RuleAction>,
  { id, kind }: { id: string; kind: RequestKindWord },
  call: Call,
): Promise<Answer> {
  const found = await findWaiting(context, id, call);
  const { person, holders } = found.viewer;
  const answer = { id, kind: kindNumber(kind) };
  if (found.type === 'approval') return { ...answer, status: 'waiting' };
  if (found.type === 'invite') {
    const { createdBy, createdByPerson, id: invite } = found.invitation;
    const [action = 'ask'] = await Promise.all(
      // An AI that made it counts as that kind together with the organizer whose word it was.
      [...new Set([createdByPerson, createdBy])].map((sender) =>
        relabel(found.invitation.person || person, sender, kind),
      ),
    );
    if (!refuses(action)) return { ...answer, status: 'waiting' };
    const silent = action === 'turn_away';
    await context.invitations.declineInvitation({ id: invite, silent }, { call });
    return { ...answer, status: 'declined' };
  }
  const { message } = found;
  const viewer = { person, holders };
  const action = await relabel(message.person, message.sender, kind);
  if (refuses(action)) {
    const silent = action === 'turn_away';
    await context.messages.declineThread({ viewer, message: message.id, silent }, { call });
    return { ...answer, status: 'declined' };
  }
  await context.messages.relabelThread(
    { viewer, message: message.id, kind: kindNumber(kind) as number },
    { call },
  );
  return { ...answer, status: 'waiting' };
}

function refuses(action: RuleAction): boolean {
  return action === 'decline' || action === 'turn_away';
}
