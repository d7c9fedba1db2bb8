import { badField, forbidden } from '@hearth/errors';
import type { RequestsService } from '@hearth/proto/approvals/v1/requests';
import { JoinStatus } from '@hearth/proto/groups/v1/invites';
import { type Call, callerKinds, type UnaryHandler } from '@hearth/rpc';
import { rememberSender } from '../../contact-rules/module.ts';
import { type Found, findWaiting } from '../actions/find-waiting.ts';
import type { Context } from '../context.ts';

/** The senders to remember, and the person or child to whom they wrote. */
interface Acquaintance {
  person: string;
  senders: (string | null)[];
}

/** Moves it to the inbox, where an ask still waits for its answer; an invite is followed, or passed on. */
export const acceptRequest =
  (context: Context): UnaryHandler<typeof RequestsService.method.acceptRequest> =>
  async ({ id, note, remember }, call) => {
    const found = await findWaiting(context, id, call);
    const { status, next, acquaintance } = await accept(context, found, note ?? '', call);
    if (remember === true) await rememberAll(context, acquaintance);
    return { id, status, next };
  };

async function rememberAll({ clock, database }: Context, { person, senders }: Acquaintance): Promise<void> {
  const at = new Date(clock.now());
  for (const sender of new Set(senders)) {
    if (sender !== null) await database.statement((tx) => rememberSender(tx, person, sender, at));
  }
}

async function accept(
  { asks, invitations, messages }: Context,
  found: Found,
  note: string,
  call: Call,
): Promise<{ status: string; next?: string; acquaintance: Acquaintance }> {
  const { person, holders } = found.viewer;
  switch (found.type) {
    case 'approval': {
      if (note !== '')
        throw badField('note', 'an ask is answered with reply_approval, which takes a note; accept it first');
      const { id, asker, minor, recipient } = found.places[0]!;
      const positions = found.places.map(({ position }) => position);
      await asks.acceptRequest(id, positions, person);
      // An ask that waits at a guardian is addressed to the child.
      const asked = minor && recipient !== null ? recipient : person;
      return { status: 'inbox', acquaintance: { person: asked, senders: [asker] } };
    }
    case 'message': {
      const { message } = found;
      await messages.moveThread({ viewer: { person, holders }, message: message.id, note }, { call });
      return { status: 'inbox', acquaintance: { person: message.person, senders: [message.sender] } };
    }
    case 'invite': {
      const { id, holder, person: invited, createdBy, createdByPerson } = found.invitation;
      // The maker of the invite, and the organizer behind an AI.
      const acquaintance = { person: invited || person, senders: [createdByPerson, createdBy] };
      if (call.caller.kind === callerKinds.AI) {
        if (holder !== call.caller.id) throw joiningNeedsPerson();
        await invitations.passInvitation({ id, note }, { call });
        return { status: 'passed', acquaintance };
      }
      const { status, next } = await invitations.acceptInvitation({ id, note }, { call });
      return { status: status === JoinStatus.JOINED ? 'joined' : 'waiting', next, acquaintance };
    }
  }
}

function joiningNeedsPerson(): Error {
  return forbidden('a person joins a group themselves; no AI can do it for them, so ask yours', {
    code: 'needs_person',
    needsPerson: true,
  });
}
