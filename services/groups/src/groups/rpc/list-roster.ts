import { isUuid } from '@hearth/ids';
import { type GroupsService, Role } from '@hearth/proto/groups/v1/groups';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { listJoined } from '../db/joined-elsewhere.ts';
import { listRoster as listRows } from '../db/members.ts';
import { roleOf } from '../domain/to-proto.ts';

export const listRoster =
  ({ copies, database }: Context): UnaryHandler<typeof GroupsService.method.listRoster> =>
  async ({ group, limit }) => {
    if (!isUuid(group)) {
      const viewers = await copies.viewers(group);
      return {
        members: viewers.slice(0, limit).map((person) => ({ person, role: Role.MEMBER })),
        expected: viewers.length === 0 && (await listJoined(database.db, group)).length > 0,
      };
    }
    const rows = await listRows(database.db, group, limit);
    return { members: rows.map(({ person, role }) => ({ person, role: roleOf(role) })) };
  };
