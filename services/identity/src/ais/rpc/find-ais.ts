import { badField } from '@hearth/errors';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../../directory/context.ts';
import { findAis as findRows } from '../../shared/db/ais.ts';
import { toAiFacts } from '../../shared/domain/to-proto.ts';
import { isUuid } from '../../shared/domain/uuid.ts';

const most = 500;

/** What other services need to know of AIs, of those that were switched off too. */
export function findAis({ database }: Context): UnaryHandler<typeof AisService.method.findAis> {
  return async ({ ids }) => {
    if (ids.length > most) throw badField('ids', `must be at most ${most}`);
    const rows = await findRows(database.db, [...new Set(ids.filter(isUuid))]);
    const byId = new Map(rows.map((ai) => [ai.id, ai]));
    return {
      results: ids.map((id) => {
        const ai = byId.get(id);
        return ai === undefined ? {} : { facts: toAiFacts(ai) };
      }),
    };
  };
}
