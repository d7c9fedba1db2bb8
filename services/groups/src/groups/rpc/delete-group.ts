import { badRequest, forbidden, notFound } from '@hearth/errors';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import { callerKinds, type UnaryHandler } from '@hearth/rpc';
import { readGroup } from '../actions/find-group.ts';
import type { Context } from '../context.ts';
import { findGroups, deleteGroup as writeDeleted } from '../db/groups.ts';
import { countMembers } from '../db/members.ts';
import { groupDeleted } from '../domain/events.ts';

export const deleteGroup =
  (context: Context): UnaryHandler<typeof GroupsService.method.deleteGroup> =>
  async ({ id }, { caller }) => {
    const { database, groups, homeNames, joinRequests } = context;
    if (caller.kind !== callerKinds.OPERATOR) throw forbidden('only the operator deletes groups');
    const ref = readGroup(id, homeNames);
    if (ref === null) throw notFound();
    const [found] = await findGroups(
      database.db,
      ref.id === null ? [] : [ref.id],
      ref.handle === null ? [] : [ref.handle],
    );
    if (found === undefined) throw notFound();
    await groups.locked(found.id, async (tx, group) => {
      const left = await countMembers(tx, group.id);
      if (left > 0) {
        const who = left === 1 ? 'one person is' : `${left} people are`;
        throw badRequest(`${who} in this group; it can be deleted once nobody is`, { code: 'not_empty' });
      }
      await joinRequests.cancelOfGroup(tx, group.id);
      await writeDeleted(tx, group.id);
      tx.announce(groupDeleted({ group, seq: group.seq + 1, apps: [], by: caller }));
    });
    return { deleted: true };
  };
