import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { isUuid } from '@hearth/ids';
import type { GroupsService } from '@hearth/proto/groups/v1/groups';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { listBelonging } from '../db/belonging.ts';
import { isArchived } from '../domain/ended.ts';
import { roleOf } from '../domain/to-proto.ts';

export const listGroupIds =
  ({ clock, database }: Context): UnaryHandler<typeof GroupsService.method.listGroupIds> =>
  async ({ person }) => {
    const rows = isUuid(person) ? await listBelonging(database.db, person) : [];
    return {
      groups: rows.map((group) => ({
        id: group.id,
        address: `&${group.handle}`,
        name: group.name,
        role: roleOf(group.role),
        joinedAt: timestampFromDate(group.joined_at),
        archived: isArchived(group, clock.now()),
      })),
    };
  };
