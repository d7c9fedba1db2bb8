import { nowDate } from '@hearth/clock';
import { badRequest, forbidden, notFound } from '@hearth/errors';
import { callerKinds } from '@hearth/rpc';
import { cancelAsks } from '../../invites/db/join-approvals.ts';
import { changeGroup } from '../actions/change-group.ts';
import { readGroup } from '../actions/find-group.ts';
import type { Context } from '../context.ts';
import { findGroups, deleteGroup as writeDeleted } from '../db/groups.ts';
import { countMembers } from '../db/members.ts';
import { groupDeleted } from '../domain/events.ts';
import type { GroupsHandlers } from './index.ts';

export const deleteGroup =
  (context: Context): GroupsHandlers['deleteGroup'] =>
  async (request, { caller }) => {
    const { database, homeNames, outbox } = context;
    if (caller.kind !== callerKinds.OPERATOR) throw forbidden('only the operator deletes groups');
    const ref = readGroup(request.id, homeNames);
    if (ref === null) throw notFound();
    const [found] = await findGroups(
      database.db,
      ref.id === null ? [] : [ref.id],
      ref.handle === null ? [] : [ref.handle],
    );
    if (found === undefined) throw notFound();
    await changeGroup(context, found.id, async (tx, group) => {
      const left = await countMembers(tx, group.id);
      if (left > 0) {
        const who = left === 1 ? 'one person is' : `${left} people are`;
        throw badRequest(`${who} in this group; it can be deleted once nobody is`);
      }
      await cancelAsks(tx, { group: group.id }, nowDate(context.clock));
      await writeDeleted(tx, group.id);
      const told = { group, seq: group.seq + 1, apps: [], by: caller };
      return { result: undefined, events: [groupDeleted(outbox, told)] };
    });
    return { deleted: true };
  };
