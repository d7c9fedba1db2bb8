import { isUuid } from '@hearth/ids';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { listRoster as listRows } from '../db/members.ts';
import { roleOf } from '../domain/to-proto.ts';

export const listRoster =
  ({ database }: Context): UnaryHandler<typeof GroupsService.method.listRoster> =>
  async ({ group, limit }) => {
    const rows = isUuid(group) ? await listRows(database.db, group, limit) : [];
    return { members: rows.map(({ person, role }) => ({ person, role: roleOf(role) })) };
  };
