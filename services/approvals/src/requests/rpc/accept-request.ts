import { badField, forbidden } from '@hearth/errors';
import { JoinStatus } from '@hearth/proto/groups/v1/invites';
import { type Call, callerKinds } from '@hearth/rpc';
import { changeApproval } from '../../asks/actions/change-approval.ts';
import { moveRecipient } from '../../asks/db/recipients.ts';
import type { RequestAskRow } from '../../asks/db/request-asks.ts';
import { rememberSender } from '../../contact-rules/db/senders.ts';
import { type Found, findWaiting } from '../actions/find-waiting.ts';
import type { RequestsContext } from '../context.ts';
import type { RequestsHandlers } from './index.ts';

/** Which senders are to be remembered, and for whom: the person or child that was written to. */
interface Acquaintance {
  person: string;
  senders: (string | null)[];
}

/** It comes to the inbox, where an ask still wants its answer; an invite is followed, or passed on. */
export const acceptRequest =
  (context: RequestsContext): RequestsHandlers['acceptRequest'] =>
  async ({ id, note, remember }, call) => {
    const found = await findWaiting(context, id, call);
    const { status, next, acquaintance } = await accept(context, found, note ?? '', call);
    if (remember === true) await keepInMind(context, acquaintance);
    return { id, status, next };
  };

async function keepInMind(
  { clock, database }: RequestsContext,
  { person, senders }: Acquaintance,
): Promise<void> {
  const at = new Date(clock.now());
  for (const sender of new Set(senders)) {
    if (sender !== null) await database.statement((tx) => rememberSender(tx, person, sender, true, at));
  }
}

async function accept(
  context: RequestsContext,
  found: Found,
  note: string,
  call: Call,
): Promise<{ status: string; next?: string; acquaintance: Acquaintance }> {
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
      return { status: 'inbox', acquaintance: { person: message.person, senders: [message.sender] } };
    }
    case 'invite': {
      const { invitation } = found;
      // Whoever made it, and the organizer whose word it was.
      const acquaintance = {
        person: invitation.person || person,
        senders: [invitation.createdByPerson, invitation.createdBy],
      };
      if (call.caller.kind === callerKinds.AI) {
        if (invitation.holder !== call.caller.id) throw joiningNeedsPerson();
        await context.invitations.passInvitation({ id: invitation.id, note }, { call });
        return { status: 'passed', acquaintance };
      }
      const asked = { id: invitation.id, note };
      const { status, next } = await context.invitations.acceptInvitation(asked, { call });
      return { status: status === JoinStatus.JOINED ? 'joined' : 'waiting', next, acquaintance };
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
  return { person: minor && recipient !== null ? recipient : person, senders: [asker] };
}

function joiningNeedsPerson(): Error {
  return forbidden('a person joins a group themselves; no AI can do it for them, so ask yours', {
    code: 'needs_person',
    needsPerson: true,
  });
}
