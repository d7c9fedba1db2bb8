import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { toRole } from '../../shared/domain/enum-names.ts';
import { isUuid } from '../../shared/domain/uuid.ts';
import type { Context } from '../context.ts';
import { listBelonging } from '../db/belonging.ts';
import { isArchived } from '../domain/ended.ts';
import type { GroupsHandlers } from './index.ts';

export const listGroupIds =
  ({ clock, database }: Context): GroupsHandlers['listGroupIds'] =>
  async ({ person }) => {
    const rows = isUuid(person) ? await listBelonging(database.db, person) : [];
    return {
      groups: rows.map((group) => ({
        id: group.id,
        address: `&${group.handle}`,
        name: group.name,
        role: toRole(group.role),
        joinedAt: timestampFromDate(group.joined_at),
        archived: isArchived(group, clock.now()),
      })),
    };
  };
