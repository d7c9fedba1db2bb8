import type { InvitesService } from '@hearth/proto/groups/v1/invites';
import { personOf, type UnaryHandler } from '@hearth/rpc';
import { findGroups } from '../../groups/module.ts';
import { findElsewhere, waitingElsewhere } from '../actions/accept-elsewhere.ts';
import { lookUp } from '../actions/find-invite.ts';
import { waitingAnswer } from '../actions/join-by-invite.ts';
import type { Context } from '../context.ts';
import { findJoinRequest as findRequest } from '../db/join-requests.ts';
import { withApproversNow } from '../domain/approvers-now.ts';

/** Repeats the answer given on asking to join, while the caller waits. */
export const findJoinRequest =
  (context: Context): UnaryHandler<typeof InvitesService.method.findJoinRequest> =>
  async ({ code }, { caller }) => {
    const person = personOf(caller);
    if (person === null) return {};
    const copy = await findElsewhere(context, code, caller);
    if (copy !== null) return await waitingElsewhere(context, copy, person);
    const invite = await lookUp(context, code, caller);
    if (invite === null) return {};
    const { db } = context.database;
    const [join, [group], facts] = await Promise.all([
      findRequest(db, invite.id, person),
      findGroups(db, [invite.group], []),
      context.people.everywhere.findOne(person),
    ]);
    const waits = join?.status === 'waiting' && invite.status !== 'declined' && group !== undefined;
    return waits && facts !== null
      ? waitingAnswer(group.name, withApproversNow(group, join, facts), null)
      : {};
  };
