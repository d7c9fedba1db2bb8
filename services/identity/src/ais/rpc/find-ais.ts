import { nowDate } from '@hearth/clock';
import { badField } from '@hearth/errors';
import { isUuid } from '@hearth/ids';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { UnaryHandler } from '@hearth/rpc';
import { findAis as findRows } from '../../shared/db/ais.ts';
import { toAiFacts } from '../../shared/domain/to-proto.ts';
import type { Context } from '../context.ts';

const most = 500;

/** Facts of AIs for other services, also of AIs that were switched off. */
export const findAis =
  ({ clock, database }: Context): UnaryHandler<typeof AisService.method.findAis> =>
  async ({ ids }) => {
    if (ids.length > most) throw badField('ids', `must be at most ${most}`);
    const rows = await findRows(database.db, [...new Set(ids.filter(isUuid))]);
    const now = nowDate(clock);
    const byId = new Map(rows.map((ai) => [ai.id, toAiFacts(ai, now)]));
    return { results: ids.map((id) => ({ facts: byId.get(id) })) };
  };
