import { badField, forbidden } from '@hearth/errors';
import { JoinStatus } from '@hearth/proto/groups/v1/invites';
import { type Call, callerKinds } from '@hearth/rpc';
import { moveRecipient } from '../../db/recipients.ts';
import type { RequestAskRow } from '../../db/request-asks.ts';
import { rememberSender } from '../../db/senders.ts';
import type { RequestsContext } from '../../requests-context.ts';
import { changeApproval } from '../../settle/change.ts';
import { type Found, findWaiting } from './find-waiting.ts';
import type { RequestsHandlers } from './index.ts';

/** Whose sender is to be remembered: the person or child that was written to, and who wrote. */
interface Acquaintance {
  person: string;
  sender: string | null;
}

/** It comes to the inbox, where an ask still wants its answer; an invite is followed. */
export const acceptRequest =
  (context: RequestsContext): RequestsHandlers['acceptRequest'] =>
  async ({ id, note, remember }, call) => {
    const found = await findWaiting(context, id, call);
    const { status, acquaintance } = await accept(context, found, note ?? '', call);
    const { person, sender } = acquaintance;
    if (remember === true && sender !== null) {
      const at = new Date(context.clock.now());
      await context.database.statement((tx) => rememberSender(tx, person, sender, true, at));
    }
    return { id, status };
  };

async function accept(
  context: RequestsContext,
  found: Found,
  note: string,
  call: Call,
): Promise<{ status: string; acquaintance: Acquaintance }> {
  const { person, holders } = found.viewer;
  switch (found.type) {
    case 'approval':
      if (note !== '')
        throw badField('note', 'an ask is answered with reply_approval, which takes a note; accept it first');
      await acceptAsk(context, found.places, person);
      return { status: 'inbox', acquaintance: ofAsk(found.places[0]!, person) };
    case 'message': {
      const { message } = found;
      await context.messages.moveThread({ viewer: { person, holders }, message: message.id, note }, { call });
      return { status: 'inbox', acquaintance: { person: message.person, sender: message.sender } };
    }
    case 'invite': {
      if (call.caller.kind === callerKinds.AI) throw joiningNeedsPerson();
      const { invitation } = found;
      const { status } = await context.invitations.acceptInvitation({ id: invitation.id, note }, { call });
      return {
        status: status === JoinStatus.JOINED ? 'joined' : 'waiting',
        acquaintance: { person, sender: invitation.createdByPerson },
      };
    }
  }
}

/** Among what waits for the person's answer, out of the requests. */
async function acceptAsk(
  context: RequestsContext,
  places: readonly RequestAskRow[],
  person: string,
): Promise<void> {
  const [first] = places;
  const positions = places.map(({ position }) => position);
  await changeApproval(context, first!.id, async (_, recipients, tx) => {
    for (const one of recipients) {
      if (!positions.includes(one.position) || one.decision !== 'waiting') continue;
      // What came to the front door goes to the person; what is addressed to an AI stays with it.
      const owner = one.box === 'front_door' ? (one.person ?? person) : (one.owner ?? person);
      await moveRecipient(tx, one, { owner, box: 'inbox' });
    }
    return null;
  });
}

/** Of what waits at a guardian it is the child who is asked. */
function ofAsk({ asker, minor, recipient }: RequestAskRow, person: string): Acquaintance {
  return { person: minor && recipient !== null ? recipient : person, sender: asker };
}

function joiningNeedsPerson(): Error {
  return forbidden('a person joins a group themselves; no AI can do it for them, so ask yours', {
    code: 'needs_person',
    needsPerson: true,
  });
}
