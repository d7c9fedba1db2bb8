import type { Call } from '@hearth/rpc';
import { answerTo } from '../../asks/actions/answer.ts';
import { type Found, findWaiting } from '../actions/find-waiting.ts';
import type { RequestsContext } from '../context.ts';
import type { RequestsHandlers } from './index.ts';

/** The sender gets a polite no: an ask is answered with it, a message replied to, an invite sent back. */
export const declineRequest =
  (context: RequestsContext): RequestsHandlers['declineRequest'] =>
  async ({ id, note }, call) => {
    await decline(context, await findWaiting(context, id, call), note, call);
    return { id, status: 'declined' };
  };

async function decline(
  context: RequestsContext,
  found: Found,
  note: string | undefined,
  call: Call,
): Promise<void> {
  const { person, holders } = found.viewer;
  switch (found.type) {
    case 'approval':
      await answerTo(context, found.places[0]!.id, { decision: 'declined', note }, call.caller);
      return;
    case 'message':
      await context.messages.declineThread(
        { viewer: { person, holders }, message: found.message.id, note: note ?? '' },
        { call },
      );
      return;
    case 'invite':
      await context.invitations.declineInvitation({ id: found.invitation.id, note: note ?? '' }, { call });
  }
}
